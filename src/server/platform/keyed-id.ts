import { hash } from 'node:crypto'

/** A uuid that always is the same for the same words: the name of what a caller's own key asks for (R2). */
export function keyedId(...words: (string | number)[]): string {
  const hex = hash('sha256', JSON.stringify(words))
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
