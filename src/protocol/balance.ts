import { z } from 'zod'
import { address } from './ids.ts'
import { usdt } from './money.ts'
import { lot, pendingPurchase } from './plans.ts'
import { nothing, PAGE_SIZE, route, success } from './route.ts'
import { day, instant } from './time.ts'

/** A user's accounts, in the order they are shown. */
export const userAccounts = ['wallet', 'plan', 'reward', 'referral', 'health', 'bet', 'hold'] as const
export type UserAccountName = (typeof userAccounts)[number]
const account = z.enum(userAccounts)

/** The balances that money can be sent from, under the spec's names, and the ledger account behind each. */
export const moneySource = z.enum(['daily', 'referral', 'wallet'])
export type MoneySource = z.infer<typeof moneySource>
export const accountBySource = { daily: 'reward', referral: 'referral', wallet: 'wallet' } as const
export const sourceByAccount = { reward: 'daily', referral: 'referral', wallet: 'wallet' } as const

/** The detail call: the spec's fields under the spec's names, then ours. */
const details = z.strictObject({
  planreward: usdt,
  planreff: usdt,
  planamount: usdt,
  max_amount: usdt,
  minimumamount: usdt,
  /** Percent. */
  withdrawfee: z.int(),
  wallet_address: address,
  support: address,
  TWA: usdt,
  BWA: usdt,
  /** The part of `planreff` that may be withdrawn or transferred now, and when more of it may. */
  planreff_matured: usdt,
  planreff_matures_at: instant.nullable(),
  wallet: usdt,
  bet: usdt,
  health: usdt,
  hold: usdt,
  today: day,
  lots: z.array(lot),
  pending: z.array(pendingPurchase),
  /** Earned but not paid yet. Paid as soon as the pools are funded. */
  deferred: z.strictObject({ reward: usdt, health: usdt, referral: usdt }),
})
export type Details = z.output<typeof details>

/** Which part of an account's history to return. Days are UTC, and both are included. */
const filter = {
  account,
  kind: z
    .string()
    .regex(/^[a-z_]{1,40}$/)
    .optional(),
  from: day.optional(),
  to: day.optional(),
}

const entry = z.strictObject({
  number: z.int(),
  amount: usdt,
  balance_after: usdt,
  posted_at: instant,
  kind: z.string(),
  reference: z.uuid(),
})
export type StatementRow = z.output<typeof entry>

export const balance = {
  details: route({
    method: 'POST',
    path: '/detail/',
    summary: 'Plan details: balances, limits, active plans and pending purchases',
    auth: 'user',
    input: nothing,
    output: success({ data: details }),
  }),
  statement: route({
    method: 'POST',
    path: '/statement/',
    summary: 'The movements of one account, newest first, with the balance after each',
    auth: 'user',
    input: z.strictObject({
      ...filter,
      before: z.int().min(1).optional(),
      limit: z.int().min(1).max(PAGE_SIZE).optional(),
    }),
    /** Cursor: pass `next` as `before` to get the next page. */
    output: success({ data: z.array(entry), next: z.int().nullable() }),
  }),
  statementCsv: route({
    method: 'POST',
    path: '/statement_csv/',
    summary: 'The same movements as a CSV file',
    auth: 'user',
    limit: 'auth',
    input: z.strictObject(filter),
    output: success({ file_name: z.string(), csv: z.string() }),
  }),
  timeline: route({
    method: 'POST',
    path: '/timeline/',
    summary: 'Total balance and earnings for each day, oldest first',
    auth: 'user',
    input: z.strictObject({ days: z.int().min(2).max(366).default(30) }),
    output: success({ data: z.array(z.strictObject({ day, total: usdt, earned: usdt })) }),
  }),
}
