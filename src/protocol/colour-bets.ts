import type { LimitKind, Limits } from './colour-limits.ts'
import { formatUsdt, subtract, type Usdt } from './money.ts'
import { amountRefusals, type Refusal } from './rules.ts'

/** The limits in force now (null: no limit), and today's stakes and losses. */
export type PlayToday = Pick<Limits, 'staked_today' | 'lost_today'> & Record<LimitKind, Usdt | null>

export type BetBounds = {
  stakeMin: Usdt
  stakeMax: Usdt
  /** What the bet wallet holds. */
  balance: Usdt
  /** Undefined while the form is still loading the limits. The server always has them. */
  play: PlayToday | undefined
}

/** The rules for a single bet. Only the server can check that the round is open and that the house can pay. */
export function refuseBet(stake: Usdt | undefined, bounds: BetBounds): Refusal | undefined {
  const { stakeMin, stakeMax, balance, play } = bounds
  if (stake === undefined) return amountRefusals.missing
  if (stake < stakeMin)
    return { code: 'amount_below_minimum', message: `The smallest bet is ${formatUsdt(stakeMin)} USDT` }
  if (stake > stakeMax)
    return { code: 'amount_above_limit', message: `The largest bet is ${formatUsdt(stakeMax)} USDT` }
  const limited =
    play &&
    (aboveLimit('stake', stake, play.stake, play.staked_today) ?? aboveLimit('loss', stake, play.loss, play.lost_today))
  if (limited) return limited
  if (stake > balance) return { code: 'insufficient_balance', message: 'Insufficient balance in the bet wallet' }
  return undefined
}

const limitNames: Record<LimitKind, string> = { loss: 'daily loss limit', stake: 'daily stake limit' }

function aboveLimit(kind: LimitKind, stake: Usdt, limit: Usdt | null, used: Usdt): Refusal | undefined {
  if (limit === null || used + stake <= limit) return undefined
  const left = subtract(limit, used)
  const room = left > 0n ? `You have ${formatUsdt(left)} USDT left today` : 'You have nothing left today'
  const message = `This is above your ${limitNames[kind]} of ${formatUsdt(limit)} USDT. ${room}.`
  return { code: 'limit_reached', message }
}

/**
 * Moves into the bet wallet and back. `held` is the balance that pays; it is undefined for a deposit from the chain, where
 * only the user's wallet knows it.
 */
export function refuseBetWalletMove(amount: Usdt | undefined, held: Usdt | undefined): Refusal | undefined {
  if (amount === undefined) return amountRefusals.missing
  if (amount === 0n) return amountRefusals.zero
  return held !== undefined && amount > held ? amountRefusals.overdrawn : undefined
}
