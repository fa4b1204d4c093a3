import { z } from 'zod'
import { usdt } from './money.ts'
import { nothing, route, success } from './route.ts'
import { instant } from './time.ts'

/**
 * The terms: everything an operator may change. They are in the database in versions, each with the date from which it
 * applies (migrations/functions/platform_terms.sql). The server reads them with `termsAt`, pages with `terms.read`.
 * terms-defaults.ts has those of a new installation, terms-check.ts the checks, terms-words.ts the words for changes.
 *
 * Not a term:
 * - what the specification fixes, because its client computes it as well: the parts of a re top up (top-up.ts);
 * - odds and payouts of the colour game (colour-odds.ts): everyone can recompute old draws, also offline, so they
 *   change only together with the code that checks them;
 * - what protects players and must not get weaker by a decision of operators: the wait before a limit is raised, the
 *   lengths of a self-exclusion (colour-limits.ts), the reminder while playing (web/colour/reality-check.tsx);
 * - technical bounds, such as the minutes before a job finishes an abandoned order. They are where they are used.
 */

/** A bigint in code, because it is multiplied with amounts, and a number in JSON. */
const whole = (min: number, max: number) =>
  z.codec(
    z.int().min(min).max(max),
    z.custom<bigint>((value) => typeof value === 'bigint'),
    { decode: BigInt, encode: Number },
  )
const count = (min: number, max: number) => z.int().min(min).max(max)
const name = z.string().regex(/^[A-Z][A-Za-z ]{1,19}$/, 'A name is 2 to 20 letters, and begins with a capital')

const tier = z.strictObject({
  name,
  /** Its number in the purchase call. 5 to 8 are the specification's re top ups, so there can be four tiers. */
  packageType: count(1, 4),
  from: usdt,
  to: usdt,
  /** Parts per million. */
  dailyRatePpm: whole(1, 10_000),
  termDays: count(1, 1_000),
})
export type Tier = z.output<typeof tier>

const rank = z.strictObject({ name, volumeMin: usdt, weight: whole(1, 1_000) })
export type Rank = z.output<typeof rank>

/** Names give the unit. Each bound is what is possible at all; terms-check.ts compares the terms with each other. */
export const termsShape = z.strictObject({
  tiers: z.array(tier).min(1).max(4),
  planAmountMin: usdt,
  planAmountMax: usdt,
  withdrawalFeePercent: whole(0, 20),
  withdrawalMin: usdt,
  /** Withdrawals go out without an operator up to these amounts: each, per user and UTC day, and in total per day. */
  withdrawalAutomaticMax: usdt,
  withdrawalAutomaticDailyMax: usdt,
  withdrawalAutomaticProductDailyMax: usdt,
  outflowDailyMax: usdt,
  transferMin: usdt,
  transferMax: usdt,
  /** Sent to known recipients without the wallet's signature, per UTC day. */
  transferUnsignedDailyMax: usdt,
  uplinePercents: z.array(whole(0, 20)).min(1).max(10),
  /** Parts per thousand of a stake. */
  colourUplinePermille: z.array(whole(0, 40)).min(1).max(10),
  colourBetMin: usdt,
  colourBetMax: usdt,
  colourRoundSeconds: count(30, 3_600),
  colourBettingSeconds: count(15, 3_600),
  /** Without a result this long after closing, every stake is refunded. */
  colourResultSeconds: count(30, 600),
  /** Amounts offered as buttons on the bet slip. */
  colourQuickStakes: z.array(usdt).length(4),
  healthSharePercent: whole(0, 100),
  healthReleaseMin: usdt,
  healthChallengesMin: count(0, 1_000),
  healthWindowDays: count(1, 366),
  ranks: z.array(rank).min(1).max(10),
  /** Referral rewards can be reinvested at once, and withdrawn or transferred after this many days. */
  referralMatureDays: count(0, 90),
})
export type Terms = z.output<typeof termsShape>
export type TermName = keyof Terms

/** Users know a change so long before. The database enforces it (terms_notice). */
export const TERMS_NOTICE_HOURS = 24

/** One figure that a version changes. `before` or `after` is null if there was or will be none. */
const termChange = z.strictObject({
  term: termsShape.keyof(),
  name: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
})
export type TermChange = z.output<typeof termChange>

const announcement = z.strictObject({ version: z.int(), takes_effect_at: instant, changes: z.array(termChange) })
export type Announcement = z.output<typeof announcement>

export const terms = {
  read: route({
    method: 'GET',
    path: '/terms/',
    summary: 'The terms in force, and announced changes with their dates',
    auth: 'none',
    shared: true,
    input: nothing,
    output: success({ version: z.int(), data: termsShape, announced: z.array(announcement) }),
  }),
}
