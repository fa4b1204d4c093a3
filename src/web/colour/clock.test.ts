import { expect, it } from 'vitest'
import type { Round } from '../../protocol/colour.ts'
import { clockOf } from './clock.ts'

const opensMs = Date.UTC(2026, 0, 1)
const round = { number: 7, opens_at: new Date(opensMs), closes_at: new Date(opensMs + 45_000) } as Round
const terms = { colourRoundSeconds: 60 }
const at = (ms: number) =>
  clockOf({ round, phase: 'betting', nowMs: opensMs + ms, nextOpensAt: new Date(opensMs + 60_000), terms })

it('counts the seconds that are left, and marks the last three', () => {
  expect([0, 10, 1_000, 44_990].map((ms) => at(ms).figure)).toEqual(['45', '45', '44', '1'])
  expect([41_990, 42_010].map((ms) => at(ms).isLast)).toEqual([false, true])
})

it('never shows more than the whole round, even if its news come before the second in which it opens', () => {
  expect(at(-300)).toMatchObject({ figure: '45', share: 1 })
})
