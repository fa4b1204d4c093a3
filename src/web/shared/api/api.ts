import { keepPreviousData, type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { z } from 'zod'
import type { ErrorBody, ErrorCode } from '../../../protocol/errors.ts'
import { fieldWords } from '../../../protocol/field-words.ts'
import type { InputOf, OutputOf, Route } from '../../../protocol/route.ts'
import { withLocalTimes } from '../../../ui/format.ts'
import { type Reason, type Words, wordsFor } from './call-words.ts'
import { useConnection, withSlowness } from './connection.ts'
import { keepReply, readKept } from './kept-replies.ts'
import { noteServerTime } from './server-clock.ts'
import { createServiceWait } from './service-wait.ts'
import { proveRequest } from './session-key.ts'
import { clearStorage, readStoredUser } from './stored-user.ts'

// zod would otherwise try to compile code, which Trusted Types forbid.
z.config({ jitless: true })

const TIMEOUT_MS = 30_000
const TRIES_MAX = 3

/** A failed call. Its message and the other words for the user come from the table in call-words.ts. */
export class CallError extends Error {
  readonly code: ErrorCode
  readonly field: string | undefined
  readonly detail: string | undefined
  readonly notice: string | undefined

  constructor(code: ErrorCode, { message, detail, notice }: Words, field?: string) {
    super(message)
    this.name = 'CallError'
    this.code = code
    this.field = field
    this.detail = detail
    this.notice = notice
  }
}

/** Calls a route of the protocol: the input is encoded and the reply decoded by the same schemas the server uses. */
export async function call<R extends Route>(route: R, input: InputOf<R>): Promise<OutputOf<R>> {
  const encoded = z.safeEncode(route.input, input, { error: fieldWords })
  if (!encoded.success) throw refusedInput(route, encoded.error)
  const request = await buildRequest(route, encoded.data as Record<string, unknown>)
  // One key for all attempts: a retry after a lost reply returns the first result instead of moving money twice.
  const headers = { ...request.headers, ...(route.changes && { 'Idempotency-Key': crypto.randomUUID() }) }
  const reply = await sendWithRetry(request, headers, route.proof)
  const decoded = reply?.status === 200 ? z.safeDecode(route.output, reply.body as never) : undefined
  // A reply that does not match the schema is treated like one without a message.
  if (!decoded?.success) throw errorOf(route, decoded ? { status: 200, body: undefined } : reply)
  return decoded.data as OutputOf<R>
}

/** The browser itself refuses a value that the server would refuse, with the same words. */
function refusedInput(route: Route, { issues: [issue] }: z.ZodError): CallError {
  const reason: Reason = { fromServer: issue?.message, isAnswered: true, status: 400 }
  return new CallError('invalid_input', wordsFor(route, reason), issue?.path.join('.'))
}

type Request = { method: 'GET' | 'POST'; path: string; body: string | undefined; headers: Record<string, string> }

async function buildRequest(route: Route, input: Record<string, unknown>): Promise<Request> {
  const inPath = new Set([...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
  const path = `/api${route.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])))}`
  const rest = Object.fromEntries(Object.entries(input).filter(([name]) => !inPath.has(name)))
  const token = readStoredUser()?.token
  const headers: Record<string, string> = token ? { Token: token } : {}
  if (route.method === 'GET') {
    const query = new URLSearchParams(rest as Record<string, string>).toString()
    return { method: 'GET', path: query ? `${path}?${query}` : path, body: undefined, headers }
  }
  return {
    method: 'POST',
    path,
    body: JSON.stringify(rest),
    headers: { ...headers, 'content-type': 'application/json' },
  }
}

type Reply = { status: number; body: unknown }

/**
 * Repeats the call while the service restarts (503 with Retry-After), and a few times when there is no reply or one
 * without JSON, such as a proxy's. That is safe, because all attempts share one idempotency key.
 */
async function sendWithRetry(
  request: Request,
  headers: Record<string, string>,
  isProven: boolean,
): Promise<Reply | undefined> {
  const wait = createServiceWait()
  let last: Reply | undefined
  try {
    for (let failures = 0; ; ) {
      try {
        const reply = await sendOnce(request, headers, isProven)
        last = { status: reply.status, body: undefined }
        if (await wait.pause(reply)) continue
        return { ...last, body: await reply.json() }
      } catch {
        if (++failures >= TRIES_MAX || !navigator.onLine) return last
        await new Promise((resolve) => setTimeout(resolve, 400 * 2 ** failures))
      }
    }
  } finally {
    wait.end()
  }
}

async function sendOnce(request: Request, headers: Record<string, string>, isProven: boolean): Promise<Response> {
  // A proof is valid only once, so each attempt makes a new one.
  const { method, path, body = '' } = request
  const token = headers['Token']
  const proof = isProven && token ? await proveRequest(method, path, body, token) : undefined
  const reply = await withSlowness(
    fetch(request.path, {
      method: request.method,
      ...(request.body !== undefined && { body: request.body }),
      headers: { ...headers, ...(proof && { DPoP: proof }) },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }),
  )
  noteServerTime(reply.headers.get('date'))
  return reply
}

function errorOf(route: Route, reply: Reply | undefined): CallError {
  const { code, message, field } = (reply?.body ?? {}) as Partial<ErrorBody>
  if (code === 'unauthenticated') clearStorage()
  const fromServer = message ? withLocalTimes(message) : undefined
  const reason: Reason = { fromServer, isAnswered: reply !== undefined, status: reply?.status }
  return new CallError(code ?? (reply ? 'internal' : 'unavailable'), wordsFor(route, reason), field)
}

/** Fixed, or computed from the last reply. */
type RefetchInterval<Reply> = number | ((reply: Reply | undefined) => number | false)

const intervalAfter = <Reply>(interval: RefetchInterval<Reply> | undefined, reply: Reply | undefined) =>
  typeof interval === 'function' ? interval(reply) : (interval ?? false)

/**
 * Reads a route through the query cache. The cache key is the path and the encoded input. Without a connection it shows
 * the last known reply, if this device keeps one.
 */
export function useRead<R extends Route>(
  route: R,
  input: InputOf<R>,
  options: { enabled?: boolean; refetchIntervalMs?: RefetchInterval<OutputOf<R>>; keepsPrevious?: boolean } = {},
) {
  // The input of a disabled read may be incomplete and fail to encode, such as a name that is still being typed.
  const enabled = options.enabled ?? true
  const encoded = enabled ? z.encode(route.input, input) : null
  const isOffline = useLastKnown(route, encoded)
  const read = useQuery<OutputOf<R>, CallError>({
    queryKey: [route.path, encoded],
    queryFn: async () => {
      // A page starts many reads at once. Each gets its own task, so a slow phone can react to a tap between two of them.
      await new Promise((resolve) => setTimeout(resolve))
      const user = readStoredUser()?.id
      const reply = await call(route, input)
      keepReply(route, encoded, user, reply)
      return reply
    },
    enabled,
    refetchInterval: ({ state }) => intervalAfter(options.refetchIntervalMs, state.data),
    ...(options.keepsPrevious && { placeholderData: keepPreviousData }),
    retry: (failures, error) => failures < 2 && ['unavailable', 'internal'].includes(error.code),
  })
  // The query waits for the connection. A placeholder that never ends would hide that there is nothing to wait for here.
  if (!isOffline || read.data !== undefined || read.fetchStatus !== 'paused') return read
  return { ...read, error: offlineError, isError: true, isLoadingError: true, isPending: false } as UseQueryResult<
    OutputOf<R>,
    CallError
  >
}

/**
 * Whether a read has answered or failed. One that failed is pending again when it is repeated: what is shown without it must
 * not disappear then.
 */
export const isTried = ({ isFetched, isPending }: { isFetched: boolean; isPending: boolean }): boolean =>
  isFetched || !isPending

const offlineError = new CallError('unavailable', {
  message: "You're offline",
  detail: "This device has no earlier figures to show. They load when you're back online. Nothing is lost.",
})

/** While the connection is slow or lost, puts the kept reply into the cache, with its age. Returns whether it is lost. */
function useLastKnown(route: Route, encoded: unknown): boolean {
  const client = useQueryClient()
  const connection = useConnection()
  const inputKey = JSON.stringify(encoded)
  useEffect(() => {
    if (connection === 'online') return
    const key = [route.path, JSON.parse(inputKey)]
    const kept = client.getQueryData(key) === undefined ? readKept(route, JSON.parse(inputKey)) : undefined
    if (kept) client.setQueryData(key, kept.reply, { updatedAt: kept.at })
  }, [client, connection, route, inputKey])
  return connection === 'offline'
}

/** A call that changes something, started by `mutate`. */
export function useCall<R extends Route>(route: R) {
  // Without `always`, a change made offline would wait silently and happen minutes later.
  return useMutation<OutputOf<R>, CallError, InputOf<R>>({
    mutationFn: (input) => call(route, input),
    networkMode: 'always',
  })
}
