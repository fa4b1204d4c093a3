import { hash } from 'node:crypto'
import type { Insertable } from 'kysely'
import { Counter } from 'prom-client'
import { AppError } from '../../protocol/errors.ts'
import type { Usdt } from '../../protocol/money.ts'
import { amountRefusals } from '../../protocol/rules.ts'
import { throwIfRefused } from '../platform/refusals.ts'
import type { Tables } from '../platform/tables.ts'
import type { AccountId } from './accounts.ts'
import { isAllowed, type PostingKind } from './rules.ts'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type Movement = { from: AccountId; to: AccountId; amount: Usdt }

/** What to move, and why. (kind, reference) is the idempotency key. */
export type Posting = {
  kind: PostingKind
  /** The UUID of the cause: an order, a bet, a transfer. */
  reference: string
  movements: readonly Movement[]
  /** What a repeat must match, besides the movements. */
  body?: unknown
  /** Stored with the posting and returned to a repeat (R2). */
  reply?: Json
}

/** A row of another table that commits together with a posting. */
export type Row = { [Table in keyof Tables]: { table: Table; values: Insertable<Tables[Table]> } }[keyof Tables]

export type Posted = { repeated: boolean; reply: Json }
export type Answer = { outcome: 'posted' | 'repeated' | 'mismatch' | 'insufficient'; answer: Json }

/** The SQL call for one posting, with its parameters. */
export function callOf(posting: Posting): { call: string; values: unknown[] } {
  const { kind, reference, movements } = posting
  const head = [kind, reference, digestOf(posting), replyOf(posting)]
  const legs = legsOf(movements)
  if (movements.length === 1) return { call: `ledger_post_one(${parameters(7)})`, values: [...head, ...legs.flat()] }
  return { call: `ledger_post(${parameters(7)})`, values: [...head, ...legs.map(arrayOf)] }
}

export const parameters = (count: number): string => Array.from({ length: count }, (_, at) => `$${at + 1}`).join(', ')

export const legsOf = (movements: readonly Movement[]): bigint[][] => [
  movements.map(({ from }) => from),
  movements.map(({ to }) => to),
  movements.map(({ amount }) => amount),
]

/** Programmer error: fail here rather than fail the whole batch. The database checks the same rules. */
export function checkRules({ kind, movements }: Posting): void {
  if (movements.length === 0) throw new Error(`${kind} moves nothing`)
  for (const { from, to, amount } of movements)
    if (amount <= 0n || !isAllowed(kind, from, to))
      throw new Error(`No rule allows ${kind} to move ${amount} from ${from} to ${to}`)
}

const postings = new Counter({
  name: 'wellplay_ledger_postings_total',
  help: 'Answers of the ledger to postings, by outcome. A transaction that fails later is counted, too',
  labelNames: ['outcome'],
})

/** Turns the database's answer into a result or an error. */
export function settle(answer: Answer | undefined): Posted {
  postings.inc({ outcome: answer?.outcome ?? 'mismatch' })
  if (answer?.outcome === 'posted' || answer?.outcome === 'repeated')
    return { repeated: answer.outcome === 'repeated', reply: answer.answer }
  if (answer?.outcome === 'insufficient') throwIfRefused(amountRefusals.overdrawn)
  throw new AppError('idempotency_mismatch', 'This key was already used for another request')
}

/** 128 bits of SHA-256 over the request, stored as a UUID. A repeat must have the same digest. */
export const digestOf = ({ movements, body = null }: Posting): string =>
  hash('sha256', `${legsOf(movements).join(';')} ${stringify(body)}`).slice(0, 32)

export const replyOf = ({ reply }: Posting): string | null => (reply === undefined ? null : JSON.stringify(reply))

/** A PostgreSQL array literal, for values that need no quotes: numbers, UUIDs, names of kinds. */
export const arrayOf = (values: readonly (bigint | number | string)[]): string => `{${values.join(',')}}`

export const stringify = (value: unknown): string =>
  JSON.stringify(value, (_key, inner) => (typeof inner === 'bigint' ? inner.toString() : inner))
