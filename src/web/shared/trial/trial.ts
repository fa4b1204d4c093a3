import { useSyncExternalStore } from 'react'
import { quiz } from '../../../protocol/quiz.ts'
import { CallError, call } from '../api/api.ts'

/** What a visitor has played without an account. It is kept in this browser until they sign up. */
export type Trial = {
  /** Free chips of the colour game. The browser counts them: they are worth nothing, so the server stores none. */
  chips: number
  /** Colour rounds won in a row. */
  streak: number
  /** The pass of a quiz game that is still open. */
  open?: string | undefined
  /** The best quiz game. The server checks it by its pass; the score is only shown. */
  best?: { pass: string; score: number } | undefined
}

export const CHIPS_AT_START = 100
const KEY = 'trial'
const fresh: Trial = { chips: CHIPS_AT_START, streak: 0 }
const listeners = new Set<() => void>()

const readRaw = (): string | null => localStorage.getItem(KEY)

function parse(raw: string | null): Trial {
  try {
    const { chips, streak, open, best } = { ...fresh, ...(JSON.parse(raw ?? '{}') as Partial<Trial>) }
    const isWhole = [chips, streak, best?.score ?? 0].every(Number.isSafeInteger)
    return isWhole ? { chips, streak, open, best } : fresh
  } catch {
    return fresh
  }
}

export const readTrial = (): Trial => parse(readRaw())

export function changeTrial(change: Partial<Trial>): void {
  localStorage.setItem(KEY, JSON.stringify({ ...readTrial(), ...change }))
  for (const listener of listeners) listener()
}

export const useTrial = (): Trial => parse(useSyncExternalStore(subscribe, readRaw))

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

/**
 * Moves the best game to the account that has just signed in, and returns its score. Without a reply the pass stays, and
 * the next sign-in or visit to the quiz tries again.
 */
export async function keepTrial(): Promise<number | undefined> {
  const { best } = readTrial()
  if (!best) return undefined
  try {
    const { game } = await call(quiz.guestKeep, { pass: best.pass })
    changeTrial({ best: undefined })
    return game.score
  } catch (error) {
    const isDecided = error instanceof CallError && ['not_found', 'already_recorded'].includes(error.code)
    if (isDecided) changeTrial({ best: undefined })
    return undefined
  }
}
