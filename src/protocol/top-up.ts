import { formatUsdt, larger, micro, parseUsdt, smaller, split, subtract, type Usdt, ZERO } from './money.ts'
import { amountRefusals, type Refusal } from './rules.ts'

/** The rewards that pay for a re top up: daily or referral. */
const topUpSources = ['daily', 'referral'] as const
export type TopUpSource = (typeof topUpSources)[number]

export const mainPackageType = { daily: 5, referral: 6 } as const
export const feePackageType = { daily: 7, referral: 8 } as const

/** Spec: the fee is due above this plan amount. Constants, because a client that follows the spec computes both parts. */
export const TOP_UP_FEE_ABOVE = parseUsdt('20')
export const TOP_UP_FEE_PERCENT = 10n

export type TopUpParts = { main: Usdt; fee: Usdt }

/** The fee is due if the plan amount before is above 20 USDT: a tenth, rounded down. Both parts sum to the whole. */
export function splitTopUp(whole: Usdt, planAmount: Usdt): TopUpParts {
  if (planAmount <= TOP_UP_FEE_ABOVE) return { main: whole, fee: ZERO }
  const { part, rest } = split(whole, 100n / TOP_UP_FEE_PERCENT)
  return { main: rest, fee: part }
}

/**
 * Recovers the whole amount from its main part. Because of rounding, every ninth main part belongs to two whole amounts
 * (0.9 is 90% of 1 and, rounded, of 0.999999). This returns the larger one, which is the round one.
 */
export function wholeOf(main: Usdt, planAmount: Usdt): Usdt {
  if (planAmount <= TOP_UP_FEE_ABOVE) return main
  const tenths = 100n / TOP_UP_FEE_PERCENT
  return micro((main / (tenths - 1n)) * tenths + (main % (tenths - 1n)))
}

/** The values the rules check: the spec's fields of the detail call, under our names. */
export type TopUpBalances = {
  withdrawableTotal: Usdt
  withdrawableNow: Usdt
  planAmount: Usdt
  planAmountMax: Usdt
  reward: Usdt
  referral: Usdt
  amountMin: Usdt
}

/** Checks the six rules in order on the whole amount and returns the first refusal. An empty field is `undefined`. */
export function refuseTopUp(
  amount: Usdt | undefined,
  source: TopUpSource,
  balances: TopUpBalances,
): Refusal | undefined {
  const { withdrawableTotal, withdrawableNow, planAmount, planAmountMax, reward, referral, amountMin } = balances
  if (amount === undefined) return amountRefusals.missing
  if (amount > withdrawableTotal || amount > withdrawableNow)
    return {
      code: 'insufficient_balance',
      message: 'You cannot withdraw more than your total available balance.',
    }
  const capped = aboveCap(amount, { planAmount, planAmountMax })
  if (capped) return capped
  if (source === 'daily' && amount > reward)
    return { code: 'insufficient_balance', message: 'Insufficient balance in Daily Rewards wallet' }
  if (source === 'referral' && amount > referral)
    return { code: 'insufficient_balance', message: 'Insufficient balance in Referral Rewards wallet' }
  if (amount < amountMin)
    return { code: 'amount_below_minimum', message: `Minimum  amount is ${formatUsdt(amountMin)} USDT` }
  return undefined
}

type Cap = Pick<TopUpBalances, 'planAmount' | 'planAmountMax'>

/** A lower cap leaves no room, and no debt, for a user who holds more. */
const roomUnderCap = ({ planAmount, planAmountMax }: Cap): Usdt => larger(ZERO, subtract(planAmountMax, planAmount))

/** The cap on all plans together, for purchases and top-ups. */
export function aboveCap(amount: Usdt, { planAmount, planAmountMax }: Cap): Refusal | undefined {
  const room = roomUnderCap({ planAmount, planAmountMax })
  if (amount <= room) return undefined
  return { code: 'amount_above_limit', message: `Maximum investment You can ${formatUsdt(room)} USDT` }
}

/** What the 'Max' link fills in: the largest amount that no rule refuses for being too large. */
export function topUpMax(source: TopUpSource, balances: TopUpBalances): Usdt {
  const { withdrawableTotal, withdrawableNow, planAmount, planAmountMax } = balances
  const limits = [withdrawableTotal, withdrawableNow, roomUnderCap({ planAmount, planAmountMax })]
  const sourceBalance = source === 'daily' ? balances.reward : balances.referral
  return limits.reduce(smaller, sourceBalance)
}

const KEY_CHARACTERS = 24
const KEY_ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz'

/** The key of a movement inside the product: 'internal' followed by random characters. */
export const newInternalHash = (random: Uint8Array): string =>
  `internal${Array.from(random.subarray(0, KEY_CHARACTERS), (byte) => KEY_ALPHABET[byte % KEY_ALPHABET.length]).join('')}`
