import { z } from 'zod'
import { history, historyCsv } from './history.ts'
import { address } from './ids.ts'
import { usdt } from './money.ts'
import { lot, pendingPurchase } from './plans.ts'
import { nothing, route, success } from './route.ts'
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

const filters = {
  account,
  kind: z
    .string()
    .regex(/^[a-z_]{1,40}$/)
    .optional(),
}

export const statementRow = z.strictObject({
  number: z.int(),
  posted_at: instant,
  kind: z.string(),
  amount: usdt,
  balance_after: usdt,
  /** The other side: a username, or the wallet of a deposit or withdrawal. Null where there is none to name. */
  counterparty: z.string().nullable(),
  /** What the sender of a transfer wrote, or why a withdrawal came back. */
  note: z.string().nullable(),
  reference: z.uuid(),
})
export type StatementRow = z.output<typeof statementRow>

export const balance = {
  details: route({
    method: 'POST',
    path: '/detail/',
    summary: 'Plan details: balances, limits, active plans and pending purchases',
    auth: 'user',
    input: nothing,
    output: success({ data: details }),
  }),
  statement: history({
    path: '/statement/',
    summary: 'The movements of one account, newest first, with the balance after each',
    filters,
    row: statementRow,
  }),
  statementCsv: historyCsv({ path: '/statement_csv/', summary: 'The same movements as a CSV file', filters }),
  timeline: route({
    method: 'POST',
    path: '/timeline/',
    summary: 'Total balance and earnings for each day, oldest first',
    auth: 'user',
    input: z.strictObject({ days: z.int().min(2).max(366).default(30) }),
    output: success({ data: z.array(z.strictObject({ day, total: usdt, earned: usdt })) }),
  }),
}
