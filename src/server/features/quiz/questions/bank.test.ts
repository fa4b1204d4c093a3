import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { quizTopics } from '../../../../protocol/quiz.ts'
import { bank, getQuestion } from './bank.ts'
import type { Question } from './question.ts'

const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()

const FILLERS =
  `a an the of to in on at is are was be do does did there what which how when where why who you your we our
  it its this that these and or not with for from by most best about many much more can should make made one per have
  has as if`.split(/\s+/)
const SAME_QUESTION = 0.5

/** The words that carry the meaning of a question and its answer, without endings. */
const contentWords = ({ text, options }: Pick<Question, 'text' | 'options'>) =>
  new Set(
    plain(`${text} ${options[0]}`)
      .split(' ')
      .filter((word) => !FILLERS.includes(word))
      .map((word) => word.replace(/(ing|es|ed|s)$/, '')),
  )

/** The share of words that two questions have in common: 0 to 1. */
function similarity(one: Set<string>, other: Set<string>): number {
  const shared = [...one].filter((word) => other.has(word)).length
  return shared / (one.size + other.size - shared)
}

test('there are at least 400 questions, 100 or more per topic, and 20 or more of every difficulty', () => {
  expect(bank.length).toBeGreaterThanOrEqual(400)
  for (const topic of quizTopics) {
    const own = bank.filter((question) => question.topic === topic)
    expect(own.length, topic).toBeGreaterThanOrEqual(100)
    for (const difficulty of [1, 2, 3])
      expect(own.filter((question) => question.difficulty === difficulty).length, topic).toBeGreaterThanOrEqual(20)
  }
})

/** Games have been dealt these questions. The numbers may grow, but never shrink. */
const released = { activity: 134, nutrition: 122, mindfulness: 143, sleep: 105 }

test('no question of a recorded game is missing: ids are numbered without gaps, and none is removed', () => {
  for (const topic of quizTopics) {
    const ids = bank.filter((question) => question.topic === topic).map(({ id }) => id)
    expect(ids).toEqual(ids.map((_, index) => `${topic}-${String(index + 1).padStart(2, '0')}`))
    expect(ids.length).toBeGreaterThanOrEqual(released[topic])
  }
})

test('no question, id or explanation occurs twice', () => {
  for (const key of ['id', 'text', 'explanation'] as const) {
    const seen = bank.map((question) => plain(question[key]))
    expect(seen.filter((value, index) => seen.indexOf(value) !== index)).toEqual([])
  }
})

test('no two questions ask the same thing in other words', () => {
  const asked = bank.map(contentWords)
  const alike = asked.flatMap((one, index) =>
    asked
      .slice(index + 1)
      .flatMap((other, offset) =>
        similarity(one, other) > SAME_QUESTION ? [[bank[index]?.text, bank[index + 1 + offset]?.text]] : [],
      ),
  )
  expect(alike).toEqual([])
})

test('a question in other words is recognised', () => {
  const reworded = contentWords({ text: 'How many bones are there in an adult?', options: ['206', '1', '2', '3'] })
  expect(similarity(contentWords(getQuestion('activity-56')), reworded)).toBeGreaterThan(SAME_QUESTION)
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
