import { type RawBuilder, sql } from 'kysely'

/**
 * The chart of accounts. An id is computed, never looked up: it encodes the user and the kind of account.
 * System accounts have the highest ids, so the busiest rows are locked last. migrations/0002_ledger.sql and
 * migrations/functions/ledger_rules.sql use the same codes.
 */
export type AccountId = bigint & { readonly __id: 'account' }

export const userAccountKinds = ['plan', 'reward', 'referral', 'wallet', 'bet', 'health', 'hold'] as const
export const systemAccountKinds = [
  'custody',
  'operator',
  'reward_pool',
  'royalty_pool',
  'health_pool',
  'house',
  'bet_escrow',
  'payout_pending',
  'fees',
] as const
export const poolKinds = ['reward_pool', 'royalty_pool', 'health_pool', 'house'] as const

export type UserAccountKind = (typeof userAccountKinds)[number]
export type SystemAccountKind = (typeof systemAccountKinds)[number]
export type AccountKind = UserAccountKind | SystemAccountKind
export type PoolKind = (typeof poolKinds)[number]

const KINDS_PER_USER = 16n
const SYSTEM_BASE = 1n << 60n

export const userAccount = (userNumber: number, kind: UserAccountKind): AccountId =>
  (BigInt(userNumber) * KINDS_PER_USER + BigInt(userAccountKinds.indexOf(kind))) as AccountId

export const systemAccount = (kind: SystemAccountKind): AccountId =>
  (SYSTEM_BASE + BigInt(systemAccountKinds.indexOf(kind))) as AccountId

/** SQL for the account ids of a `user_number` column, for queries and bulk postings. */
export const accountsOf = (kind: UserAccountKind): RawBuilder<bigint> =>
  sql`(${userAccount(0, kind)}::bigint + user_number * ${KINDS_PER_USER}::bigint)`

/** Decodes an id. `userNumber` is undefined for a system account. */
export function describeAccount(account: AccountId): { kind: AccountKind; userNumber: number | undefined } {
  const index = Number(account % KINDS_PER_USER)
  const isSystem = account >= SYSTEM_BASE
  const kind = isSystem ? systemAccountKinds[index] : userAccountKinds[index]
  if (kind === undefined) throw new Error(`No account has the id ${account}`)
  return { kind, userNumber: isSystem ? undefined : Number(account / KINDS_PER_USER) }
}
