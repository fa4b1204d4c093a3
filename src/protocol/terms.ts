import { parseUsdt, type Usdt } from './money.ts'

/** Everything an operator may change: tiers, rates, fees and limits. Names give the unit; ppm is parts per million. */
export type Tier = {
  name: string
  packageType: number
  from: Usdt
  to: Usdt
  dailyRatePpm: bigint
  termDays: number
}

const u = parseUsdt

export const terms = {
  tiers: [
    { name: 'Starter', packageType: 1, from: u('10'), to: u('99.999999'), dailyRatePpm: 1_000n, termDays: 90 },
    { name: 'Active', packageType: 2, from: u('100'), to: u('499.999999'), dailyRatePpm: 1_500n, termDays: 90 },
    { name: 'Strong', packageType: 3, from: u('500'), to: u('1999.999999'), dailyRatePpm: 2_000n, termDays: 120 },
    { name: 'Peak', packageType: 4, from: u('2000'), to: u('5000'), dailyRatePpm: 2_500n, termDays: 180 },
  ] satisfies Tier[],
  planAmountMin: u('10'),
  planAmountMax: u('5000'),
  topUpFeeAbove: u('20'),
  topUpFeePercent: 10n,
  topUpSweepMinutes: 15,
  withdrawalFeePercent: 5n,
  withdrawalMin: u('10'),
  /** Withdrawals go out without an operator up to these amounts: each, per user and UTC day, and in total per day. */
  withdrawalAutomaticMax: u('100'),
  withdrawalAutomaticDailyMax: u('300'),
  withdrawalAutomaticProductDailyMax: u('5000'),
  outflowDailyMax: u('5000'),
  transferMin: u('0.01'),
  transferMax: u('5000'),
  /** Sent to known recipients without the wallet's signature, per UTC day. */
  transferUnsignedDailyMax: u('100'),
  transferNoteMax: 140,
  uplinePercents: [5n, 3n, 2n, 1n, 1n],
  /** Parts per thousand of a stake. */
  colourUplinePermille: [5n, 3n, 2n],
  colourUplineSweepMinutes: 15,
  colourBetMin: u('0.1'),
  colourBetMax: u('500'),
  colourRoundSeconds: 60,
  colourBettingSeconds: 45,
  /** Without a result this long after closing, every stake is refunded. */
  colourResultSeconds: 60,
  colourLimitRaiseHours: 24,
  colourExclusionDays: [1, 7, 30],
  colourRealityCheckMinutes: 60,
  /** A longer pause ends a playing session. */
  colourPauseMinutes: 30,
  /** Amounts offered as buttons on the bet slip. */
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
  /** Referral rewards can be reinvested at once, and withdrawn or transferred after this many days. */
  referralMatureDays: 7,
  /** A sign of fake accounts: this many sign-ups below one sponsor within this many minutes. */
  flagBurstSignUps: 5,
  flagBurstMinutes: 10,
  /** A wallet that paid for more accounts than this is treated as an exchange, not as a personal wallet. */
  flagFundedMax: 30,
  /** Rewards paid longer ago than this can no longer be held. */
  holdRewardDays: 30,
  /** Payouts are paused while the last audit that could check everything is older than this. */
  auditAgeMinutesMax: 5,
} as const
