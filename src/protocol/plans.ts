import { z } from 'zod'
import { address, id, txHash } from './ids.ts'
import { formatUsdt, type Usdt, usdt, usdtInput } from './money.ts'
import { nothing, page, pageNumber, pageSize, route, success } from './route.ts'
import { amountRefusals, type Refusal } from './rules.ts'
import type { Tier } from './terms.ts'
import { day, instant } from './time.ts'
import { aboveCap, type TopUpSource } from './top-up.ts'

export const orderId = id('order')
export type OrderId = z.output<typeof orderId>

/** The tier for an amount of principal. Undefined below the smallest tier and above the largest. */
export const findTier = (tiers: readonly Tier[], amount: Usdt): Tier | undefined =>
  tiers.find(({ from, to }) => amount >= from && amount <= to)

/** Each tier has its own range of amounts. */
export function refuseTierAmount(amount: Usdt | undefined, { name, from, to }: Tier): Refusal | undefined {
  if (amount === undefined) return amountRefusals.missing
  const message = `${name} takes ${formatUsdt(from)} to ${formatUsdt(to)} USDT`
  if (amount < from) return { code: 'amount_below_minimum', message }
  return amount > to ? { code: 'amount_above_limit', message } : undefined
}

/** `wallet` is the balance that pays. It is undefined for a purchase paid on chain. */
type PurchaseBounds = { planAmount: Usdt; planAmountMax: Usdt; wallet: Usdt | undefined }

/** Checks the cap on all plans together, then the balance that pays. */
export function refusePurchase(amount: Usdt, { wallet, ...plan }: PurchaseBounds): Refusal | undefined {
  const capped = aboveCap(amount, plan)
  if (capped) return capped
  if (wallet !== undefined && amount > wallet)
    return { code: 'insufficient_balance', message: 'Insufficient balance in your wallet' }
  return undefined
}

/** Spec: 1 to 4 buy a tier, 5 and 6 are re top ups (daily, referral), 7 and 8 their fee parts. */
export const packageTypes = {
  5: { source: 'daily', part: 'main' },
  6: { source: 'referral', part: 'main' },
  7: { source: 'daily', part: 'fee' },
  8: { source: 'referral', part: 'fee' },
} as const satisfies Record<number, { source: TopUpSource; part: 'main' | 'fee' }>

/** `internal…` for movements inside the product, the transaction hash for payments on chain. */
export const transHash = z.union(
  [txHash, z.string().regex(/^internal[\x21-\x7e]{1,120}$/)],
  "Send the transaction hash, or 'internal' followed by random characters",
)
export const isInternal = (hash: string): boolean => hash.startsWith('internal')

/** Names in the plan history. The re top up history hides names that contain a token, so re top ups have none. */
export const planName = {
  tier: (tier: string) => `USDT ${tier}`,
  topUp: { daily: 'Daily Re Top Up', referral: 'Referral Re Top Up' },
  fee: { daily: 'Daily Re Top Up Fee', referral: 'Referral Re Top Up Fee' },
} as const

/** Spec: rows whose plan name contains one of these are not re top ups. */
export const isTopUpRow = ({ Plan_name }: { Plan_name: string }): boolean =>
  !['JWC', 'JW', 'USDT'].some((token) => Plan_name.includes(token))

const historyRow = z.strictObject({
  Plan_name: z.string(),
  Plan_Amount: usdt,
  start_date: instant,
  order_id: orderId,
  package_type: z.int(),
  trans_hash: z.string(),
  /** The day on which the amount was paid back. Null before, and for fees. */
  matured_on: day.nullable(),
})
export type HistoryRow = z.output<typeof historyRow>

export const lot = z.strictObject({
  order_id: orderId,
  plan_name: z.string(),
  tier: z.string(),
  amount: usdt,
  daily_reward: usdt,
  daily_rate_ppm: z.int(),
  started_on: day,
  matures_on: day,
})

const tierOffer = z.strictObject({
  package_type: z.int(),
  name: z.string(),
  amount_min: usdt,
  amount_max: usdt,
  daily_rate_ppm: z.int(),
  term_days: z.int(),
})

/** Progress of a payment: done, or pending with the confirmations so far and the number needed. */
export const paymentProgress = {
  status: z.enum(['success', 'pending']),
  Msg: z.string(),
  confirmations: z.int(),
  confirmations_needed: z.int(),
}

/** A purchase on chain that is waiting for confirmations. Posting it again returns its progress. */
export const pendingPurchase = z.strictObject({
  usdt_amount: usdt,
  package_type: z.int(),
  trans_hash: z.string(),
  claimed_at: instant,
})

export const plans = {
  offers: route({
    method: 'GET',
    path: '/plans/',
    summary: 'The tiers, their terms, and how many days of rewards the pool covers',
    auth: 'none',
    shared: true,
    input: nothing,
    output: success({
      data: z.array(tierOffer),
      max_amount: usdt,
      /** Days the reward pool can pay today's active plans; null if there are none. */
      pool_cover_days: z.int().nullable(),
    }),
  }),
  buy: route({
    method: 'POST',
    path: '/gamebuyplan/',
    summary: 'Buy a plan on chain or from the wallet (1–4), re top up (5–6), settle its fee (7–8)',
    auth: 'user',
    changes: true,
    limit: 'money',
    input: z.strictObject({
      usdt_amount: usdtInput,
      from_address: address,
      to_address: address,
      trans_hash: transHash,
      package_type: z.int().min(1).max(8),
      gross_amount: usdtInput.optional(),
    }),
    output: z.strictObject({ ...paymentProgress, order_id: orderId.nullable() }),
    errors: [
      'insufficient_balance',
      'amount_above_limit',
      'amount_below_minimum',
      'amount_mismatch',
      'source_mismatch',
      'unknown_order',
      'payment_refused',
      'payment_used',
      'chain_unavailable',
      'declaration_required',
      'country_blocked',
    ],
  }),
  upline: route({
    method: 'POST',
    path: '/gameupline_referral/',
    summary: 'Pay the upline rewards for a purchase of this amount',
    auth: 'user',
    changes: true,
    limit: 'money',
    input: z.strictObject({ purchase_amount: usdtInput, order_id: orderId.optional() }),
    output: success({ order_id: orderId }),
    errors: ['unknown_order', 'amount_mismatch'],
  }),
  history: route({
    method: 'POST',
    path: '/planhistory/',
    summary: 'Plan purchases and top-ups, newest first',
    auth: 'user',
    input: z.strictObject({ pageno: pageNumber, page_size: pageSize }),
    output: page(historyRow),
  }),
}
