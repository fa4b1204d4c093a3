import type { Round } from '../../protocol/colour.ts'
import type { Terms } from '../../protocol/terms.ts'
import type { Tone } from '../../ui/tone.ts'
import type { Phase } from './use-table.ts'

const LAST_MS = 3_000
const SOON_MS = 6_000

/** What the countdown shows. `figure` is empty while the draw is pending, and `share` undefined: the ring spins. */
export type Clock = {
  figure: string
  words: string
  share: number | undefined
  tone: Tone
  /** The last three seconds of betting. */
  isLast: boolean
  nextText: string
}

type Moment = {
  round: Round | undefined
  phase: Phase
  nowMs: number
  nextOpensAt: Date | undefined
  terms: Pick<Terms, 'colourRoundSeconds'>
}

export function clockOf({ round, phase, nowMs, nextOpensAt, terms }: Moment): Clock {
  const isBetting = phase === 'betting' && round !== undefined
  const endMs = isBetting ? round.closes_at.getTime() : (nextOpensAt?.getTime() ?? nowMs)
  const roundMs = terms.colourRoundSeconds * 1000
  // A round that opened before the terms changed keeps its own length.
  const wholeMs = isBetting ? endMs - round.opens_at.getTime() : roundMs
  // The news of a round may come before the second in which it opens is counted here.
  const leftMs = Math.min(wholeMs, Math.max(0, endMs - nowMs))
  const seconds = String(Math.ceil(leftMs / 1000))
  const calm = { tone: 'lime', isLast: false, nextText: nextText(round, leftMs, roundMs) } as const
  if (phase === 'drawing' || phase === 'revealing')
    return {
      ...calm,
      figure: '',
      words: phase === 'drawing' ? 'Waiting for the next block' : 'Here it comes',
      share: undefined,
    }
  if (!isBetting) return { ...calm, figure: seconds, words: 'until the next round', share: leftMs / wholeMs }
  return {
    ...calm,
    figure: seconds,
    words: 'seconds to bet',
    share: leftMs / wholeMs,
    tone: leftMs < SOON_MS ? 'gold' : 'lime',
    isLast: leftMs <= LAST_MS,
  }
}

const nextText = (round: Round | undefined, leftMs: number, roundMs: number): string =>
  leftMs > 0 && leftMs < roundMs ? `Next round in ${Math.ceil(leftMs / 1000)} s` : `Round ${round?.number ?? ''}`
