import { RETURN_PERCENT } from './colour-odds.ts'
import { micro, subtract } from './money.ts'
import { type Terms, termsShape } from './terms.ts'

/** All referral rewards of a purchase together, in percent. */
const UPLINE_PERCENT_MAX = 30n
/** What the house keeps of stakes on average, in parts per thousand. */
const EDGE_PERMILLE = (100n - RETURN_PERCENT) * 10n
/** Between the end of betting and the next round. */
const DRAW_SECONDS_MIN = 10

/** Whether it holds, and the problem if it does not. */
type Check = [holds: boolean, problem: string]

/** Terms that an operator may announce: every bound of the shape, and the terms fit together. */
export const checkedTerms = termsShape.superRefine((terms, context) => {
  const checks = [...planChecks(terms), ...limitChecks(terms), ...colourChecks(terms), ...referralChecks(terms)]
  for (const [holds, message] of checks) if (!holds) context.addIssue({ code: 'custom', message })
})

/** Together the tiers cover every amount from the smallest plan to the cap, without a gap. */
function planChecks({ tiers, planAmountMin, planAmountMax }: Terms): Check[] {
  return [
    [planAmountMin > 0n, 'The smallest plan must be above zero'],
    [tiers[0]?.from === planAmountMin, 'The first tier must begin at the smallest plan'],
    [tiers.at(-1)?.to === planAmountMax, 'The last tier must end at the cap on all plans'],
    [areDifferent(tiers.map((tier) => tier.name)), 'Two tiers have the same name'],
    ...tiers.flatMap((tier, at): Check[] => {
      const before = tiers[at - 1]
      const followsGapless = !before || subtract(tier.from, before.to) === micro(1n)
      return [
        [tier.packageType === at + 1, `The package type of ${tier.name} must be ${at + 1}`],
        [tier.from <= tier.to, `${tier.name} begins above its end`],
        [followsGapless, `${tier.name} must begin right after the end of ${before?.name}, without a gap`],
      ]
    }),
  ]
}

function limitChecks(terms: Terms): Check[] {
  const { withdrawalMin, withdrawalAutomaticMax, withdrawalAutomaticDailyMax } = terms
  return [
    [withdrawalMin > 0n, 'The smallest withdrawal must be above zero'],
    [withdrawalMin <= terms.outflowDailyMax, 'The smallest withdrawal is above the most per day'],
    [withdrawalAutomaticMax >= 0n, 'The largest withdrawal without an operator is below zero'],
    [
      withdrawalAutomaticMax <= withdrawalAutomaticDailyMax,
      'The largest withdrawal without an operator is above the same limit per user and day',
    ],
    [
      withdrawalAutomaticDailyMax <= terms.withdrawalAutomaticProductDailyMax,
      'The limit without an operator per user and day is above the one of all users',
    ],
    [terms.transferMin > 0n, 'The smallest transfer must be above zero'],
    [terms.transferMin <= terms.transferMax, 'The smallest transfer is above the largest'],
    [terms.transferUnsignedDailyMax >= 0n, 'The transfers without a signature are below zero'],
    [terms.healthReleaseMin > 0n, 'The smallest health release must be above zero'],
  ]
}

function colourChecks(terms: Terms): Check[] {
  const { colourBetMin, colourBetMax, colourQuickStakes, colourBettingSeconds, colourRoundSeconds } = terms
  return [
    [colourBetMin > 0n, 'The smallest bet must be above zero'],
    [colourBetMin <= colourBetMax, 'The smallest bet is above the largest'],
    [isRising(colourQuickStakes), 'The quick stakes must rise'],
    [
      colourQuickStakes.every((stake) => stake >= colourBetMin && stake <= colourBetMax),
      'A quick stake is below the smallest bet or above the largest',
    ],
    [
      colourBettingSeconds + DRAW_SECONDS_MIN <= colourRoundSeconds,
      `A round must leave ${DRAW_SECONDS_MIN} seconds for the draw after betting closes`,
    ],
    [
      sum(terms.colourUplinePermille) <= EDGE_PERMILLE,
      `The colour game rewards must not exceed the edge of the house, ${EDGE_PERMILLE / 10n}%`,
    ],
  ]
}

function referralChecks({ uplinePercents, ranks }: Terms): Check[] {
  return [
    [
      sum(uplinePercents) <= UPLINE_PERCENT_MAX,
      `The referral rewards of a purchase must not exceed ${UPLINE_PERCENT_MAX}% in total`,
    ],
    [(ranks[0]?.volumeMin ?? 0n) > 0n, 'The first rank must need a team volume'],
    [isRising(ranks.map(({ volumeMin }) => volumeMin)), 'The team volumes of the ranks must rise'],
    [isRising(ranks.map(({ weight }) => weight)), 'The royalty weights of the ranks must rise'],
    [areDifferent(ranks.map((rank) => rank.name)), 'Two ranks have the same name'],
  ]
}

const sum = (numbers: readonly bigint[]): bigint => numbers.reduce((total, number) => total + number, 0n)
const isRising = (numbers: readonly bigint[]): boolean =>
  numbers.every((number, at) => at === 0 || number > (numbers[at - 1] ?? number))
const areDifferent = (names: readonly string[]): boolean => new Set(names).size === names.length
