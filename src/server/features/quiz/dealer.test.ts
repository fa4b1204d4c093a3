import { expect, test } from 'vitest'
import { quizTopics } from '../../../protocol/quiz.ts'
import { quizRules } from '../../../protocol/quiz-engine.ts'
import { deal, orderOf, rightSlot } from './dealer.ts'

const seedOf = (number: number) => Buffer.alloc(32, number)

test('the right answer appears in each of the four places about equally often', () => {
  const places = [0, 0, 0, 0]
  for (let seed = 0; seed < 80; seed++)
    for (let number = 1; number <= 25; number++) {
      const slot = rightSlot(orderOf(seedOf(seed), number))
      places[slot] = (places[slot] ?? 0) + 1
    }
  for (const count of places) {
    expect(count).toBeGreaterThan(440)
    expect(count).toBeLessThan(560)
  }
})

test('four games in a row on one topic repeat no question, and every question fits its level', () => {
  const allowed = [[1], [1, 2], [2], [2, 3], [2, 3]]
  for (const topic of quizTopics) {
    const seen = new Set<string>()
    for (let game = 0; game < 4; game++) {
      const recent = new Set(seen)
      const dealt = new Set<string>()
      for (let number = 1; number <= quizRules.levels.length * quizRules.questionsPerLevel; number++) {
        const level = Math.ceil(number / quizRules.questionsPerLevel)
        const { question } = deal(seedOf(game), { number, level, topic, dealt, recent })
        expect(seen.has(question.id), question.id).toBe(false)
        expect(question.topic).toBe(topic)
        expect(allowed[level - 1]).toContain(question.difficulty)
        dealt.add(question.id)
        seen.add(question.id)
      }
    }
  }
})
