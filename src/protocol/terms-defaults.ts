import { parseUsdt } from './money.ts'
import type { Terms } from './terms.ts'

const u = parseUsdt

/** The first version of the terms in a new installation. Operators announce every later one. */
export const defaultTerms: Terms = {
  tiers: [
    { name: 'Starter', packageType: 1, from: u('10'), to: u('99.999999'), dailyRatePpm: 1_000n, termDays: 90 },
    { name: 'Active', packageType: 2, from: u('100'), to: u('499.999999'), dailyRatePpm: 1_500n, termDays: 90 },
    { name: 'Strong', packageType: 3, from: u('500'), to: u('1999.999999'), dailyRatePpm: 2_000n, termDays: 120 },
    { name: 'Peak', packageType: 4, from: u('2000'), to: u('5000'), dailyRatePpm: 2_500n, termDays: 180 },
  ],
  planAmountMin: u('10'),
  planAmountMax: u('5000'),
  withdrawalFeePercent: 5n,
  withdrawalMin: u('10'),
  withdrawalAutomaticMax: u('100'),
  withdrawalAutomaticDailyMax: u('300'),
  withdrawalAutomaticProductDailyMax: u('5000'),
  outflowDailyMax: u('5000'),
  transferMin: u('0.01'),
  transferMax: u('5000'),
  transferUnsignedDailyMax: u('100'),
  uplinePercents: [5n, 3n, 2n, 1n, 1n],
  colourUplinePermille: [5n, 3n, 2n],
  colourBetMin: u('0.1'),
  colourBetMax: u('500'),
  colourRoundSeconds: 60,
  colourBettingSeconds: 45,
  colourResultSeconds: 60,
  colourQuickStakes: [u('0.5'), u('1'), u('5'), u('10')],
  healthSharePercent: 5n,
  healthReleaseMin: u('1'),
  healthChallengesMin: 10,
  healthWindowDays: 30,
  ranks: [
    { name: 'Bronze', volumeMin: u('5000'), weight: 1n },
    { name: 'Silver', volumeMin: u('20000'), weight: 2n },
    { name: 'Gold', volumeMin: u('100000'), weight: 4n },
    { name: 'Platinum', volumeMin: u('500000'), weight: 8n },
    { name: 'Diamond', volumeMin: u('2000000'), weight: 16n },
  ],
  referralMatureDays: 7,
}
