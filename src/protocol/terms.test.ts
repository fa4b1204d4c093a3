import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseUsdt } from './money.ts'
import { type Terms, termsShape } from './terms.ts'
import { checkedTerms } from './terms-check.ts'
import { defaultTerms } from './terms-defaults.ts'
import { announcementLine, changeLine, listTerms, termChanges } from './terms-words.ts'

const u = parseUsdt
const problemsOf = (changes: Partial<Terms>): string[] => {
  const { error } = checkedTerms.safeEncode({ ...defaultTerms, ...changes })
  return error?.issues.map(({ message }) => message) ?? []
}
const [starter, active, strong, peak] = defaultTerms.tiers as [Terms['tiers'][0], ...Terms['tiers']]
const tiers = (...list: (Terms['tiers'][0] | undefined)[]) => ({ tiers: list.filter((tier) => tier !== undefined) })

test('the default terms fit together, and survive the way to JSON and back', () => {
  expect(problemsOf({})).toEqual([])
  const text = JSON.stringify(z.encode(termsShape, defaultTerms))
  expect(z.decode(termsShape, JSON.parse(text))).toEqual(defaultTerms)
})

test.each<[string, Partial<Terms>, string]>([
  ['a gap between tiers', tiers({ ...starter, to: u('99') }, active, strong, peak), 'Active must begin'],
  ['tiers that overlap', tiers({ ...starter, to: u('100') }, active, strong, peak), 'Active must begin'],
  ['tiers in another order', tiers(active, starter, strong, peak), 'package type of Active'],
  ['a tier that ends before it begins', tiers({ ...starter, to: u('9') }, active, strong, peak), 'above its end'],
  ['a cap above the last tier', { planAmountMax: u('6000') }, 'The last tier must end'],
  ['a smallest plan below the first tier', { planAmountMin: u('5') }, 'The first tier must begin'],
  ['a smallest withdrawal above the limit', { withdrawalMin: u('5001') }, 'above the most per day'],
  ['automatic limits that contradict each other', { withdrawalAutomaticMax: u('301') }, 'without an operator'],
  ['an automatic limit above that of all users', { withdrawalAutomaticDailyMax: u('5001') }, 'the one of all users'],
  ['a smallest transfer above the largest', { transferMin: u('5001') }, 'smallest transfer'],
  ['a smallest bet above the largest', { colourBetMax: u('0.05') }, 'smallest bet'],
  ['a quick stake above the largest bet', { colourBetMax: u('5') }, 'A quick stake'],
  ['betting that leaves no time for the draw', { colourBettingSeconds: 55 }, 'seconds for the draw'],
  ['rewards for bets above the edge', { colourUplinePermille: [20n, 20n, 1n] }, 'edge of the house, 4%'],
  ['referral rewards above 30%', { uplinePercents: [20n, 11n] }, '30% in total'],
  ['ranks that do not rise', { ranks: defaultTerms.ranks.toReversed() }, 'must rise'],
])('%s is refused', (_name, changes, problem) => {
  expect(problemsOf(changes).join('. ')).toContain(problem)
})

test.each<[string, Partial<Terms>]>([
  ['a fee above 20%', { withdrawalFeePercent: 21n }],
  ['a daily rate above 1%', tiers({ ...starter, dailyRatePpm: 10_001n }, active, strong, peak)],
  ['a fifth tier', { tiers: [...defaultTerms.tiers, { ...peak, packageType: 5 } as Terms['tiers'][0]] }],
  ['no rank', { ranks: [] }],
])('%s is out of bounds', (_name, changes) => {
  expect(problemsOf(changes)).not.toEqual([])
})

test('every term has a name that operators and users read', () => {
  const names = listTerms(defaultTerms).map(([name]) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(listTerms(defaultTerms)).toContainEqual(['daily rate of Starter', '0.1%'])
  expect(listTerms(defaultTerms)).toContainEqual(['colour game reward on level 1', '0.5%'])
})

test('a change is one line for operators and one sentence for users', () => {
  const [change, ...more] = termChanges(defaultTerms, { ...defaultTerms, withdrawalFeePercent: 4n })
  if (!change) throw new Error('the change was not found')
  expect(more).toEqual([])
  expect(changeLine(change)).toBe('Withdrawal fee: 5% → 4%')
  const line = (date: string) => announcementLine({ takes_effect_at: new Date(date) }, change)
  expect(line('2026-12-03T00:00:00Z')).toBe('From 3 December 2026 the withdrawal fee is 4% instead of 5%.')
  expect(line('2026-12-03T14:30:00Z')).toBe('From 3 December 2026, 14:30 UTC, the withdrawal fee is 4% instead of 5%.')
})

test('a tier or level that comes or goes is a change, too', () => {
  const fewer = { ...defaultTerms, uplinePercents: [5n, 3n, 2n, 1n] }
  const [gone] = termChanges(defaultTerms, fewer)
  const [added] = termChanges(fewer, defaultTerms)
  if (!gone || !added) throw new Error('the change was not found')
  const at = { takes_effect_at: new Date('2026-12-03T00:00:00Z') }
  expect(announcementLine(at, gone)).toBe('From 3 December 2026 there is no referral reward on level 5 any more.')
  expect(announcementLine(at, added)).toBe('From 3 December 2026 the referral reward on level 5 is 1%.')
})
