import { formatUsdt, larger, subtract, type Usdt, ZERO } from './money.ts'
import type { Refusal } from './rules.ts'

/**
 * When referral rewards may leave. A reward can be reinvested (re top up) at once. It can be withdrawn or transferred
 * some days later: as many as the terms said when it was earned. A re top up or a hold takes the newest rewards first, so
 * it uses what may not leave yet before what may. The database computes the immature part (`referral_maturity`).
 */
export type Maturity = {
  immature: Usdt
  /** When the oldest immature reward matures; null if all have. */
  nextAt: Date | null
}

/** The part of the referral balance that may be withdrawn or transferred. */
export const maturedOf = (balance: Usdt, { immature }: Pick<Maturity, 'immature'>): Usdt =>
  larger(ZERO, subtract(balance, immature))

/** What may leave now, and after how many days a reward that is earned now may. */
export type Matured = { amount: Usdt; days: number }

export const immatureRefusal = ({ amount, days }: Matured): Refusal => ({
  code: 'insufficient_balance',
  message: `You can withdraw or send ${formatUsdt(amount)} USDT of your Referral Rewards now. A reward is free ${days} days after you earned it.`,
})
