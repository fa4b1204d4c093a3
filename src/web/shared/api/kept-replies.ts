import { z } from 'zod'
import type { OutputOf, Route } from '../../../protocol/route.ts'
import type { CallKey } from '../../../protocol/routes.ts'
import { readStoredUser } from './stored-user.ts'

/**
 * The calls whose last reply stays on this device, to be shown with its age while there is no connection. Only figures:
 * requests to the support, for example, are not kept. Signing out clears local storage, and these replies with it.
 */
const keptCalls: ReadonlySet<string> = new Set<CallKey>([
  ...(['POST /detail/', 'POST /timeline/', 'POST /statement/', 'GET /terms/', 'GET /plans/'] as const),
  ...(['POST /planhistory/', 'POST /withdraw_terms/', 'POST /withdraw_history/', 'POST /wallet_deposits/'] as const),
  ...(['POST /internal_transfer_history/', 'POST /roiearning_history/', 'POST /Referral_history/'] as const),
  ...(['POST /referral_summary/', 'POST /royalty_summary/', 'POST /Direct_referral_list/'] as const),
  ...(['POST /wellness/today/', 'POST /wellness/history/', 'POST /auth/me/'] as const),
  ...(['GET /quiz/', 'GET /bet_history/'] as const),
])

/** One entry per call, so the storage has a limit. `user` prevents that a later user sees it. */
type Entry = { user: string; input: string; at: number; reply: unknown }

const nameOf = ({ method, path }: Route) => `kept ${method} ${path}`
const isKept = ({ method, path }: Route) => keptCalls.has(`${method} ${path}`)

/** `user` is the one who made the call: a reply that arrives after signing out is not stored. */
export function keepReply<R extends Route>(
  route: R,
  input: unknown,
  user: string | undefined,
  reply: OutputOf<R>,
): void {
  if (!isKept(route) || user === undefined || readStoredUser()?.id !== user) return
  const encoded = z.safeEncode(route.output, reply)
  if (!encoded.success) return
  const entry: Entry = { user, input: JSON.stringify(input), at: Date.now(), reply: encoded.data }
  try {
    localStorage.setItem(nameOf(route), JSON.stringify(entry))
  } catch {
    // The storage is full or blocked. Then there are no figures to show without a connection.
  }
}

/** The last reply to this user and input, if it is kept and still fits the schema. */
export function readKept<R extends Route>(route: R, input: unknown): { reply: OutputOf<R>; at: number } | undefined {
  const entry = readEntry(route)
  if (entry?.user !== readStoredUser()?.id || entry?.input !== JSON.stringify(input)) return undefined
  const decoded = z.safeDecode(route.output, entry.reply as never)
  return decoded.success && Number.isFinite(entry.at) ? { reply: decoded.data as OutputOf<R>, at: entry.at } : undefined
}

function readEntry(route: Route): Entry | undefined {
  try {
    return (JSON.parse(localStorage.getItem(nameOf(route)) ?? 'null') as Entry | null) ?? undefined
  } catch {
    return undefined
  }
}
