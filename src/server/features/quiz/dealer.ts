import { createHmac } from 'node:crypto'
import { type QuizTopic, quizTopics } from '../../../protocol/quiz.ts'
import { quizRules } from '../../../protocol/quiz-engine.ts'
import { bank, getQuestion } from './questions/bank.ts'
import type { Question } from './questions/question.ts'

/** Chooses questions and shuffles options from a game's secret seed. The same seed always gives the same deal. */

export type Deal = { question: Question; order: number[] }

/** Allowed difficulties by level: questions get harder as the pace rises. */
const difficulties = [[1], [1, 2], [2], [2, 3], [2, 3]]

export type DealRequest = {
  number: number
  level: number
  topic: QuizTopic | null
  /** Already dealt in this game; never repeated. */
  dealt: ReadonlySet<string>
  /** Dealt in the player's last games; avoided if possible. */
  recent: ReadonlySet<string>
}

export function deal(seed: Buffer, request: DealRequest): Deal {
  const choices = candidates(seed, request)
  const question = choices[Math.floor(secretRandom(seed, 'question', request.number) * choices.length)]
  if (!question) throw new Error('there are no questions left to deal')
  return { question, order: orderOf(seed, request.number) }
}

/** Questions that fit the request. If there are none: any difficulty, then also recent questions, then any topic. */
function candidates(seed: Buffer, { number, level, topic, dealt, recent }: DealRequest): readonly Question[] {
  const fresh = bank.filter(({ id }) => !dealt.has(id))
  const turn = Math.floor(secretRandom(seed, 'topic', 0) * quizTopics.length) + number
  const wanted = topic ?? quizTopics[turn % quizTopics.length]
  const ofTopic = fresh.filter((question) => question.topic === wanted)
  const unseen = ofTopic.filter(({ id }) => !recent.has(id))
  const fitting = unseen.filter(({ difficulty }) => difficulties[level - 1]?.includes(difficulty))
  return [fitting, unseen, ofTopic, fresh].find((choices) => choices.length > 0) ?? []
}

/** `order[slot]` is the index of the option shown in that slot; option 0 is the right answer. */
export function orderOf(seed: Buffer, number: number): number[] {
  const order = Array.from({ length: quizRules.options }, (_, index) => index)
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(secretRandom(seed, `order ${last}`, number) * (last + 1))
    ;[order[last], order[other]] = [order[other] as number, order[last] as number]
  }
  return order
}

export const rightSlot = (order: readonly number[]): number => order.indexOf(0)

/** The two wrong slots that a fifty-fifty removes. */
export function removedSlots(seed: Buffer, number: number, order: readonly number[]): number[] {
  const wrong = order.map((_, slot) => slot).filter((slot) => slot !== rightSlot(order))
  const kept = Math.floor(secretRandom(seed, 'fifty', number) * wrong.length)
  return wrong.filter((_, index) => index !== kept)
}

export const optionTexts = (questionId: string, order: readonly number[]): string[] => {
  const { options } = getQuestion(questionId)
  return order.map((option) => options[option] ?? '')
}

/** A pseudorandom number in [0, 1). Without the seed it is unpredictable, however many others are known. */
function secretRandom(seed: Buffer, purpose: string, number: number): number {
  return createHmac('sha256', seed).update(`${purpose} ${number}`).digest().readUIntBE(0, 6) / 2 ** 48
}
