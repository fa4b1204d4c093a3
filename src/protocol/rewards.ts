import { z } from 'zod'
import { history, historyCsv } from './history.ts'
import { userId } from './ids.ts'
import { formatUsdt, portion, type Usdt, usdt } from './money.ts'
import { nothing, page, pageInput, route, success } from './route.ts'
import { amountRefusals, type Refusal } from './rules.ts'
import { day, instant } from './time.ts'

const PPM = 1_000_000n

/** What a lot earns on each day of its term. */
export const dailyReward = (amount: Usdt, ratePpm: bigint): Usdt => portion(amount, ratePpm, PPM)

/** What a release of the health balance is checked against, as returned by the health call. */
type HealthStanding = {
  balance: Usdt
  minimum: Usdt
  challenges_done: number
  challenges_needed: number
  window_days: number
}

/** The health balance can be released only after enough challenges. */
export function refuseHealthRelease(amount: Usdt | undefined, standing: HealthStanding): Refusal | undefined {
  const { balance, minimum, challenges_done, challenges_needed, window_days } = standing
  if (amount === undefined) return amountRefusals.missing
  const missing = challenges_needed - challenges_done
  if (missing > 0)
    return {
      code: 'not_eligible',
      message: `Complete ${missing} more ${missing === 1 ? 'challenge' : 'challenges'} to release your health balance. You need ${challenges_needed} in ${window_days} days.`,
    }
  if (amount < minimum)
    return { code: 'amount_below_minimum', message: `The smallest release is ${formatUsdt(minimum)} USDT` }
  if (amount > balance) return { code: 'insufficient_balance', message: 'Insufficient health balance' }
  return undefined
}

const state = z.enum(['paid', 'deferred'])

export const earningRow = z.strictObject({
  earned_on: day,
  plan_name: z.string(),
  plan_amount: usdt,
  daily_rate_ppm: z.int(),
  amount: usdt,
  health_amount: usdt,
  state,
  health_state: state,
})
export type Earning = z.output<typeof earningRow>

const filters = { state: state.optional() }

const royaltyShare = z.strictObject({
  /** The first day of the month. */
  month: day,
  rank: z.string(),
  amount: usdt,
  /** Can be claimed, was claimed, was not claimed in time, or nothing to claim because the pool was empty. */
  state: z.enum(['open', 'paid', 'expired', 'empty']),
  claimable_until: day,
  paid_at: instant.nullable(),
})
export type RoyaltyShare = z.output<typeof royaltyShare>

export const rewards = {
  claim: route({
    method: 'POST',
    path: '/process_rewards/',
    summary: 'Claim your daily rewards',
    auth: 'user',
    changes: true,
    limit: 'money',
    input: z.strictObject({ user_id: userId }),
    output: success({
      /** Paid by this call. A repeat pays nothing. */
      paid: usdt,
      health_paid: usdt,
      /** Earned, but waiting until the operator funds the pool. */
      deferred: usdt,
    }),
    errors: ['forbidden'],
  }),
  earnings: history({
    path: '/roiearning_history/',
    summary: 'Daily rewards by plan and day, newest first',
    filters,
    row: earningRow,
  }),
  earningsCsv: historyCsv({ path: '/roiearning_history_csv/', summary: 'Your daily rewards as a CSV file', filters }),
  referrals: route({
    method: 'POST',
    path: '/Referral_history/',
    summary: 'Referral rewards by day and level, without names, purchases or stakes',
    auth: 'user',
    input: pageInput,
    output: page(
      z.strictObject({
        kind: z.enum(['upline', 'colour', 'royalty']),
        amount: usdt,
        state: z.enum([...state.options, 'held', 'forfeited']),
        earned_on: day,
        /** How many purchases or bets are summed up here. */
        rewards: z.int(),
        /** How many levels below, and the rate. Null for a royalty. */
        level: z.int().nullable(),
        percent: z.string().nullable(),
        /** The month and rank of a royalty. Null for other rewards. */
        month: day.nullable(),
        rank: z.string().nullable(),
      }),
    ),
  }),
  royalty: route({
    method: 'POST',
    path: '/release_royalty/',
    summary: 'Pay your share of the royalty for the last closed month, once',
    auth: 'user',
    changes: true,
    limit: 'money',
    input: z.strictObject({ force_check: z.literal(true) }),
    output: success({ month: day, rank: z.string(), amount: usdt, paid_now: z.boolean() }),
    errors: ['not_eligible', 'nothing_to_pay'],
  }),
  royaltySummary: route({
    method: 'POST',
    path: '/royalty_summary/',
    summary: 'An estimate of your royalty for this month, and your shares of closed months',
    auth: 'user',
    input: nothing,
    output: success({
      /** If the month ended now: `weight` of `weight_total` parts of the budget. */
      estimate: z.strictObject({
        month: day,
        rank: z.string().nullable(),
        amount: usdt,
        budget: usdt,
        weight: z.int(),
        weight_total: z.int(),
      }),
      last_month: day,
      /** Null before the first month is closed. Earlier than `last_month` for a few minutes after a month ends. */
      last_closed: day.nullable(),
      shares: z.array(royaltyShare),
    }),
  }),
}
