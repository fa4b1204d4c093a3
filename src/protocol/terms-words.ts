import { formatUsdt, micro, type Usdt } from './money.ts'
import type { Announcement, TermChange, TermName, Terms } from './terms.ts'

/** A figure as people read it: 'withdrawal fee', '5%'. */
type Figure = [name: string, value: string]

const money = (amount: Usdt) => `${formatUsdt(amount)} USDT`
const days = (count: number) => (count === 1 ? '1 day' : `${count} days`)
const seconds = (count: number) => `${count} seconds`
/** An amount has six decimals, so it can also write parts of a percent exactly. */
const percent = (parts: bigint, partsPerPercent: bigint) =>
  `${formatUsdt(micro((parts * 1_000_000n) / partsPerPercent))}%`

/** The names of all terms, each a noun that fits after "the". Operators and users read the same words. */
const figures: { [Name in TermName]: (term: Terms[Name]) => Figure[] } = {
  tiers: (tiers) =>
    tiers.flatMap(({ name, from, to, dailyRatePpm, termDays }): Figure[] => [
      [`range of ${name}`, `${formatUsdt(from)} to ${money(to)}`],
      [`daily rate of ${name}`, percent(dailyRatePpm, 10_000n)],
      [`term of ${name}`, days(termDays)],
    ]),
  planAmountMin: (term) => [['smallest plan', money(term)]],
  planAmountMax: (term) => [['cap on all plans of a user', money(term)]],
  withdrawalFeePercent: (term) => [['withdrawal fee', percent(term, 1n)]],
  withdrawalMin: (term) => [['smallest withdrawal', money(term)]],
  withdrawalAutomaticMax: (term) => [['largest withdrawal without an operator', money(term)]],
  withdrawalAutomaticDailyMax: (term) => [['total of a user’s withdrawals per day without an operator', money(term)]],
  withdrawalAutomaticProductDailyMax: (term) => [['total of all withdrawals per day without an operator', money(term)]],
  outflowDailyMax: (term) => [['most a user can withdraw per day', money(term)]],
  transferMin: (term) => [['smallest transfer', money(term)]],
  transferMax: (term) => [['largest transfer', money(term)]],
  transferUnsignedDailyMax: (term) => [['total of transfers per day without a signature', money(term)]],
  uplinePercents: (term) => term.map((parts, at) => [`referral reward on level ${at + 1}`, percent(parts, 1n)]),
  colourUplinePermille: (term) =>
    term.map((parts, at) => [`colour game reward on level ${at + 1}`, percent(parts, 10n)]),
  colourBetMin: (term) => [['smallest bet', money(term)]],
  colourBetMax: (term) => [['largest bet', money(term)]],
  colourRoundSeconds: (term) => [['length of a colour round', seconds(term)]],
  colourBettingSeconds: (term) => [['time for bets in a colour round', seconds(term)]],
  colourResultSeconds: (term) => [['longest wait for a colour result', seconds(term)]],
  colourQuickStakes: (term) => [['row of quick stakes', `${term.map(formatUsdt).join(', ')} USDT`]],
  healthSharePercent: (term) => [['health share of a daily reward', percent(term, 1n)]],
  healthReleaseMin: (term) => [['smallest health release', money(term)]],
  healthChallengesMin: (term) => [['number of challenges for a health release', String(term)]],
  healthWindowDays: (term) => [['time for these challenges', days(term)]],
  ranks: (ranks) =>
    ranks.flatMap(({ name, volumeMin, weight }): Figure[] => [
      [`team volume for ${name}`, money(volumeMin)],
      [`royalty weight of ${name}`, String(weight)],
    ]),
  referralMatureDays: (term) => [['time until a referral reward can leave', days(term)]],
}

const termNames = Object.keys(figures) as TermName[]

const figuresOf = <Name extends TermName>(terms: Terms, name: Name): Map<string, string> =>
  new Map(figures[name](terms[name]))

/** All terms, as a list to read. */
export const listTerms = (terms: Terms): Figure[] => termNames.flatMap((name) => [...figuresOf(terms, name)])

/** What differs between two versions, figure by figure. */
export const termChanges = (before: Terms, after: Terms): TermChange[] =>
  termNames.flatMap((term) => {
    const [old, next] = [figuresOf(before, term), figuresOf(after, term)]
    const names = [...new Set([...old.keys(), ...next.keys()])]
    return names
      .map((name) => ({ term, name, before: old.get(name) ?? null, after: next.get(name) ?? null }))
      .filter((change) => change.before !== change.after)
  })

/** '3 December 2026', with the time if it is not midnight. Always UTC, as all money days. */
export function termsDateText(date: Date): string {
  const day = date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
  const time = date.toISOString().slice(11, 16)
  return time === '00:00' ? day : `${day}, ${time} UTC`
}

/** For operators: 'Withdrawal fee: 5% → 4%'. */
export const changeLine = ({ name, before, after }: TermChange): string =>
  `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${before ?? 'none'} → ${after ?? 'none'}`

/** For users: 'the withdrawal fee is 4% instead of 5%'. */
export function changeSentence({ name, before, after }: TermChange): string {
  if (after === null) return `there is no ${name} any more`
  return before === null ? `the ${name} is ${after}` : `the ${name} is ${after} instead of ${before}`
}

/** 'From 3 December 2026 the withdrawal fee is 4% instead of 5%.' */
export function announcementLine(
  { takes_effect_at }: Pick<Announcement, 'takes_effect_at'>,
  change: TermChange,
): string {
  const date = termsDateText(takes_effect_at)
  return `From ${date}${date.endsWith('UTC') ? ',' : ''} ${changeSentence(change)}.`
}
