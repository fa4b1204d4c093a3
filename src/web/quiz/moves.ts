import { type QuizGame, quiz } from '../../protocol/quiz.ts'
import type { QuizPower } from '../../protocol/quiz-engine.ts'
import { call } from '../shared/api/api.ts'

type Reply = Promise<{ game: QuizGame }>
type Shot = { score: number; question: number; option: number | null; at_ms?: number; aim?: number }

/** The calls of one game. */
export type Moves = {
  show(): Reply
  deal(): Reply
  shoot(shot: Shot): Reply
  power(question: number, power: QuizPower): Reply
  pause(question: number): Reply
  end(): Reply
}

export const movesOf = (id: QuizGame['gameId']): Moves => ({
  show: () => call(quiz.show, { id }),
  deal: () => call(quiz.deal, { id }),
  shoot: (shot) => call(quiz.shoot, { id, ...shot }),
  power: (question, power) => call(quiz.power, { id, question, power }),
  pause: (question) => call(quiz.pause, { id, question }),
  end: () => call(quiz.end, { id }),
})

/** Moves of a visitor without an account. The pass names the game and proves that it is theirs. */
export const guestMovesOf = (pass: string): Moves => ({
  show: () => call(quiz.guestMove, { kind: 'show', pass }),
  deal: () => call(quiz.guestMove, { kind: 'deal', pass }),
  shoot: (shot) => call(quiz.guestMove, { kind: 'shoot', pass, ...shot }),
  power: (question, power) => call(quiz.guestMove, { kind: 'power', pass, question, power }),
  pause: (question) => call(quiz.guestMove, { kind: 'pause', pass, question }),
  end: () => call(quiz.guestMove, { kind: 'end', pass }),
})
