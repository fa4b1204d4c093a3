import type { Known } from './check-round.ts'

const MEMORY = 'colour-seed'

export type Chain = { anchor: string; first_round: number; length: number }
type Seeded = { number: number; seed: string | null }

/** The chain of seeds that a round belongs to. */
export const chainOf = (chains: readonly Chain[], round: number): Chain | undefined =>
  chains.find(({ first_round, length }) => first_round <= round && round < first_round + length)

/**
 * A seed of the round's chain that was known before its draw and is at most `stepsMax` rounds away: one this browser has
 * kept from an earlier visit, or the anchor. Seeds of an earlier chain do not count: the next chain does not lead to them.
 */
export function knownSeed(round: number, chain: Chain, stepsMax: number): Known | undefined {
  const kept = readMemory()
  const anchor = { number: chain.first_round - 1, seed: chain.anchor }
  const candidates = kept && kept.number >= chain.first_round ? [kept, anchor] : [anchor]
  return candidates.find((known) => known.number < round && round - known.number <= stepsMax)
}

/** The seed of the round before, if it is among these rounds and in the same chain. */
export function previousSeed(round: number, chain: Chain, rounds: readonly Seeded[]): Known | undefined {
  const previous = rounds.find(({ number }) => number === round - 1 && number >= chain.first_round)
  return previous?.seed ? { number: previous.number, seed: previous.seed } : undefined
}

/** Keeps the seed of a round that passed the check: later rounds must lead back to it. */
export function rememberSeed({ number, seed }: Seeded): void {
  const before = readMemory()
  if (seed && (!before || before.number < number)) localStorage.setItem(MEMORY, JSON.stringify({ number, seed }))
}

function readMemory(): Known | undefined {
  try {
    const known = JSON.parse(localStorage.getItem(MEMORY) ?? 'null') as Known | null
    return typeof known?.number === 'number' && /^[0-9a-f]{64}$/.test(known.seed) ? known : undefined
  } catch {
    return undefined
  }
}
