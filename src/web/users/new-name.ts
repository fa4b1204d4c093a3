const firsts = [
  'swift',
  'sunny',
  'brave',
  'calm',
  'bright',
  'lively',
  'merry',
  'nimble',
  'steady',
  'keen',
  'fresh',
  'bold',
]
const seconds = ['otter', 'heron', 'maple', 'comet', 'river', 'fox', 'lark', 'cedar', 'wave', 'finch', 'hare', 'fern']

const pick = (words: string[]): string => words[Math.floor(Math.random() * words.length)] ?? ''

/** Suggests a friendly username, so that new users do not have to think of one. */
export const newName = (): string => `${pick(firsts)}_${pick(seconds)}_${Math.floor(100 + Math.random() * 900)}`
