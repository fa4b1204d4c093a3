import { expect, test } from 'vitest'
import { bank } from './bank.ts'

/** A player who does not know the topic should not be able to tell the right answer from its form. */

test('every question fits a phone 390 px wide: three lines of text, two per answer, two of explanation', () => {
  for (const { id, text, options, explanation } of bank) {
    expect(text.length, id).toBeLessThanOrEqual(84)
    expect(text, id).toMatch(/[?…:]$|\. Try…$/)
    for (const option of options) {
      expect(option.length, `${id}: ${option}`).toBeLessThanOrEqual(26)
      for (const word of option.split(/[ -]/)) expect(word.length, `${id}: ${word}`).toBeLessThanOrEqual(15)
    }
    expect(explanation, id).toMatch(/[.?]$/)
    expect(explanation.length, id).toBeGreaterThan(20)
    expect(explanation.length, id).toBeLessThanOrEqual(95)
    expect(`${text}${options.join('')}${explanation}`, id).not.toMatch(/\s{2}|[<>]|undefined/)
  }
})

test('the four answers differ and have the same form', () => {
  for (const { id, options } of bank) {
    expect(new Set(options.map((option) => option.toLowerCase().replace(/[^a-z0-9]+/g, ' '))).size, id).toBe(4)
    for (const option of options) expect(option, id).toMatch(/^[A-Z\d−].*(?<![.!,;:…])$/)
    const lengths = options.map(({ length }) => length)
    expect(Math.max(...lengths) - Math.min(...lengths), id).toBeLessThanOrEqual(12)
    // A figure among words, or a word among figures, stands out. The figure in "B12" or "Omega-3" is part of a name.
    expect([0, 4], id).toContain(options.filter((option) => /(?<![\w-])\d/.test(option)).length)
  }
})

test('no answer gives itself away with "only", "never" or "all of these"', () => {
  const telling = /\b(only|never|always|nothing|nobody|none|no effect|at all|(all|both) of (the|these))\b/i
  expect(bank.flatMap(({ options }) => options.filter((option) => telling.test(option)))).toEqual([])
})

test('the right answer is the longest or the shortest about as often as chance: in a quarter of the questions', () => {
  for (const extreme of [Math.max, Math.min]) {
    const decided = bank
      .map(({ options }) => options.map(({ length }) => length))
      .filter((lengths) => lengths.filter((length) => length === extreme(...lengths)).length === 1)
    const share = decided.filter((lengths) => lengths[0] === extreme(...lengths)).length / decided.length
    expect(share).toBeGreaterThan(0.15)
    expect(share).toBeLessThan(0.3)
  }
})

test('among figures, the right one is sometimes the lowest, sometimes the highest, and not mostly in the middle', () => {
  const places = [0, 0, 0, 0]
  for (const { options } of bank) {
    const [right = Number.NaN, ...wrong] = options.map(figureOf)
    if (Number.isNaN(right + wrong.reduce((sum, figure) => sum + figure, 0))) continue
    const place = wrong.filter((figure) => figure < right).length
    places[place] = (places[place] ?? 0) + 1
  }
  const total = places.reduce((sum, count) => sum + count, 0)
  expect(total).toBeGreaterThan(50)
  for (const count of places) {
    expect(count / total).toBeGreaterThan(0.1)
    expect(count / total).toBeLessThan(0.4)
  }
})

/** The first figure of an answer such as "About 1,200 to 1,500", or NaN. */
function figureOf(option: string): number {
  const [figure] =
    option
      .replaceAll(',', '')
      .replace('−', '-')
      .match(/(?<![\w-])-?\d+(\.\d+)?/) ?? []
  return Number(figure)
}
