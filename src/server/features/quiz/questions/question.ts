import type { QuizTopic } from '../../../../protocol/quiz.ts'

/** A question with its answer. Server only: a page gets just the text and the shuffled options. */
export type Question = {
  /** Stored with every game that dealt it: never reuse or renumber. */
  id: string
  topic: QuizTopic
  difficulty: 1 | 2 | 3
  text: string
  /** The right answer first; the dealer shuffles them. */
  options: readonly [right: string, ...wrong: [string, string, string]]
  explanation: string
}

export function question(
  id: `${QuizTopic}-${string}`,
  difficulty: Question['difficulty'],
  text: string,
  options: Question['options'],
  explanation: string,
): Question {
  return { id, topic: id.split('-')[0] as QuizTopic, difficulty, text, options, explanation }
}
