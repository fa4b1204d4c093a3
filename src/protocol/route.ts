import { z } from 'zod'
import type { ErrorCode } from './errors.ts'

/**
 * One API call. The same object validates requests on the server, types the client and generates the OpenAPI page.
 * `auth: 'user'` needs a session. `changes: true` accepts an Idempotency-Key (R2) and, unless `proof: false`, needs a
 * DPoP proof if the session is bound to a key (R5).
 */
export type Route<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> = {
  method: 'GET' | 'POST'
  path: string
  summary: string
  auth: 'none' | 'user'
  changes: boolean
  proof: boolean
  /** The specification sends the token of this call in the body. The header works as well, and wins. */
  tokenInBody: boolean
  /** A frozen account may still make this change. */
  evenFrozen: boolean
  /**
   * Rate limit class (R8). `protect` is for calls such as self-exclusion: betting must not use up their limit. `guest` is
   * for calls that store something for a visitor: all visitors together have a limit, too.
   */
  limit: 'read' | 'money' | 'auth' | 'play' | 'protect' | 'guest'
  /** The reply is the same for everyone and may be a few seconds old, so a process computes it once for all callers. */
  shared: boolean
  input: Input
  output: Output
  errors: readonly ErrorCode[]
}

type Definition<Input extends z.ZodType, Output extends z.ZodType, Literals extends RouteLiterals> = Literals & {
  summary: string
  changes?: boolean
  proof?: boolean
  tokenInBody?: boolean
  evenFrozen?: boolean
  limit?: Route['limit']
  shared?: boolean
  input: Input
  output: Output
  errors?: readonly ErrorCode[]
}

/** Kept as literal types, so that tables about routes can be checked by the compiler. */
type RouteLiterals = Pick<Route, 'method' | 'path' | 'auth'>

export function route<Input extends z.ZodType, Output extends z.ZodType, const Literals extends RouteLiterals>(
  definition: Definition<Input, Output, Literals>,
): Route<Input, Output> & Pick<Literals, keyof RouteLiterals> {
  const { changes = false, errors = [] } = definition
  const refusals = changes ? [...new Set<ErrorCode>([...errors, 'idempotency_mismatch'])] : errors
  const defaults = { proof: changes, tokenInBody: false, evenFrozen: false, limit: 'read', shared: false } as const
  return { ...defaults, ...definition, changes, errors: refusals }
}

export type Routes = Record<string, Route>

/** What a handler receives and returns: decoded values, such as Usdt and Date. */
export type InputOf<R extends Route> = z.output<R['input']>
export type OutputOf<R extends Route> = z.output<R['output']>

export const nothing = z.strictObject({})

/** A successful reply: the spec's `status` and `Msg`, and the fields of the call. */
export const success = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject({ status: z.literal('success'), Msg: z.string(), ...shape })

/** Rows per page, unless the call asks for fewer. */
export const PAGE_SIZE = 50
export const pageNumber = z.int().min(1).max(1_000_000).default(1)
export const pageSize = z.int().min(1).max(PAGE_SIZE).optional()
export const pageInput = z.strictObject({ page_no: pageNumber, page_size: pageSize })

/** A page of rows, with the total for the pager. */
export const page = <Row extends z.ZodType>(row: Row) =>
  success({ data: z.array(row), page_no: z.int(), page_size: z.int(), total: z.int() })
