/** Positions of the quiz game's targets, computed from seed, question and time: the same on every screen. */

/** A pseudo-random number in [0, 1), hashed from whole numbers (lowbias32). No sequence: any moment can be computed. */
export function randomAt(...keys: number[]): number {
  let hash = 0x9e3779b9
  for (const key of keys) {
    hash = Math.imul(hash ^ (key >>> 0), 0x7feb352d)
    hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b)
    hash ^= hash >>> 16
  }
  return (hash >>> 0) / 2 ** 32
}

export const motionPatterns = ['quarters', 'lanes', 'orbit', 'sway', 'chase'] as const
export type MotionPattern = (typeof motionPatterns)[number]

/** The pattern of a question: gentle ones first, all of them from the third level on. */
export function patternOf(seed: number, question: number, level: number): MotionPattern {
  const choices = level === 1 ? 2 : level === 2 ? 4 : motionPatterns.length
  return motionPatterns[Math.floor(randomAt(seed, question, 1) * choices)] ?? 'lanes'
}

/** A place on the board, as a share (0 to 1) of the distance a target can travel. At 1 it touches the far edge. */
export type Place = { x: number; y: number }

/**
 * The place of the target in this slot after `timeMs` on its path. The targets of a question never overlap, as long as
 * each takes at most 42% of the board's width and 20% of its height.
 */
export function placeOf(seed: number, question: number, level: number, slot: number, timeMs: number): Place {
  const pattern = patternOf(seed, question, level)
  const cycles = ((timeMs / 1000) * (0.05 + 0.022 * level) + randomAt(seed, question, 2)) * direction(seed, question)
  if (pattern === 'quarters') return quarters(seed, question, slot, cycles)
  if (pattern === 'orbit') return onRectangle(cycles * 0.8 + slot / 4)
  const phase = { lanes: (slot % 2) / 2, sway: slot / 8, chase: slot / 4 }[pattern]
  return { x: swing(cycles + phase), y: slot / 3 }
}

/** The fixed place of a target under reduced motion. */
export const restingPlace = (slot: number): Place => ({ x: slot % 2, y: slot < 2 ? 0.15 : 0.85 })

function quarters(seed: number, question: number, slot: number, cycles: number): Place {
  const offset = randomAt(seed, question, 3, slot)
  const x = 0.13 * swing(cycles * 1.3 + offset)
  const y = 0.3 * swing(cycles * 0.9 + offset * 2)
  return { x: slot % 2 ? 1 - x : x, y: slot < 2 ? y : 1 - y }
}

/** A place on the edge of the board: one turn is once around it, and the four targets are one side apart. */
function onRectangle(turns: number): Place {
  const way = (turns - Math.floor(turns)) * 4
  const part = way % 1
  if (way < 1) return { x: part, y: 0 }
  if (way < 2) return { x: 1, y: part }
  if (way < 3) return { x: 1 - part, y: 1 }
  return { x: 0, y: 1 - part }
}

/** Back and forth once per cycle, slower at both ends. */
const swing = (cycles: number): number => (1 - Math.cos(cycles * 2 * Math.PI)) / 2

const direction = (seed: number, question: number): number => (randomAt(seed, question, 4) < 0.5 ? 1 : -1)
