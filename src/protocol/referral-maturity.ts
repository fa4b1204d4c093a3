import { formatUsdt, larger, subtract, type Usdt, ZERO } from './money.ts'
import type { Refusal } from './rules.ts'
import { terms } from './terms.ts'

/**
 * When referral rewards may leave. A reward can be reinvested (re top up) at once. It can be withdrawn or transferred
 * `terms.referralMatureDays` after it was earned. A re top up or a hold takes the newest rewards first, so it uses what
 * may not leave yet before what may. The database computes the immature part (`referral_maturity`).
 */
export type Maturity = {
  immature: Usdt
  /** When the oldest immature reward matures; null if all have. */
  nextAt: Date | null
}

/** The part of the referral balance that may be withdrawn or transferred. */
export const maturedOf = (balance: Usdt, { immature }: Pick<Maturity, 'immature'>): Usdt =>
  larger(ZERO, subtract(balance, immature))

export const immatureRefusal = (matured: Usdt): Refusal => ({
  code: 'insufficient_balance',
  message: `You can withdraw or send ${formatUsdt(matured)} USDT of your Referral Rewards now. A reward is free ${terms.referralMatureDays} days after you earned it.`,
})
