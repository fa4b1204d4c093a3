import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { quizTopics } from '../../../../protocol/quiz.ts'
import { bank, getQuestion } from './bank.ts'

const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()

test('there are at least 200 questions, 50 or more per topic, of every difficulty', () => {
  expect(bank.length).toBeGreaterThanOrEqual(200)
  for (const topic of quizTopics) {
    const own = bank.filter((question) => question.topic === topic)
    expect(own.length, topic).toBeGreaterThanOrEqual(50)
    for (const difficulty of [1, 2, 3])
      expect(own.filter((question) => question.difficulty === difficulty).length).toBeGreaterThan(3)
  }
})

test('no question, id or explanation occurs twice', () => {
  for (const key of ['id', 'text', 'explanation'] as const) {
    const seen = bank.map((question) => plain(question[key]))
    expect(seen.filter((value, index) => seen.indexOf(value) !== index)).toEqual([])
  }
})

test('no two questions are nearly the same', () => {
  const words = bank.map(({ text }) => new Set(plain(text).split(' ')))
  const alike = words.flatMap((one, index) =>
    words.slice(index + 1).flatMap((other, offset) => {
      const shared = [...one].filter((word) => other.has(word)).length
      const similarity = shared / (one.size + other.size - shared)
      return similarity > 0.7 ? [[bank[index]?.text, bank[index + 1 + offset]?.text]] : []
    }),
  )
  expect(alike).toEqual([])
})

test('every question fits the screen: a short text, four different short options, a one-line explanation', () => {
  for (const { id, text, options, explanation } of bank) {
    expect(text.length, id).toBeLessThanOrEqual(95)
    expect(text, id).toMatch(/[?…:]$|\. Try…$/)
    expect(new Set(options.map(plain)).size, id).toBe(4)
    for (const option of options) expect(option.length, `${id}: ${option}`).toBeLessThanOrEqual(26)
    expect(explanation, id).toMatch(/[.?]$/)
    expect(explanation.length, id).toBeGreaterThan(20)
    expect(explanation.length, id).toBeLessThanOrEqual(110)
    expect(`${text}${options.join('')}${explanation}`, id).not.toMatch(/\s{2}|[<>]|undefined/)
  }
})

test('the length of the right answer does not give it away', () => {
  const share = (differs: (right: number, wrong: number) => boolean) =>
    bank.filter(({ options: [right, ...wrong] }) => wrong.every((other) => differs(right.length, other.length)))
      .length / bank.length
  expect(share((right, wrong) => right > wrong)).toBeLessThan(0.3)
  expect(share((right, wrong) => right < wrong)).toBeLessThan(0.3)
})

test('a known question is found, an unknown one throws', () => {
  expect(getQuestion('sleep-01').topic).toBe('sleep')
  expect(() => getQuestion('sleep-00')).toThrow()
})

test('no answer can leak to a page: no file of the browser code contains a question', () => {
  const root = join(import.meta.dirname, '../../../..')
  for (const folder of ['web', 'ui', 'protocol']) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.(ts|tsx|json)$/.test(entry.name)) continue
      const text = readFileSync(join(entry.parentPath, entry.name), 'utf8')
      const leaked = bank.find((question) => text.includes(question.explanation) || text.includes(question.text))
      expect(leaked?.id, entry.name).toBeUndefined()
    }
  }
})
