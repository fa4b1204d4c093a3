import type { Round } from '../../../protocol/colour.ts'
import type { Known } from './check-round.ts'

const MEMORY = 'colour-seed'

type Chain = { anchor: string; first_round: number }

/** The anchor of the chain of seeds that a round belongs to. */
export function anchorOf(chains: readonly Chain[] | undefined, round: number): Known | undefined {
  const chain = chains?.findLast(({ first_round }) => first_round <= round)
  return chain && { number: chain.first_round - 1, seed: chain.anchor }
}

/** A seed this browser has kept from an earlier visit, or the anchor, if it is at most `stepsMax` rounds away. */
export function knownSeed(number: number, anchor: Known | undefined, stepsMax: number): Known | undefined {
  const candidates = [readMemory(), anchor].filter((known) => known !== undefined)
  return candidates.find((known) => known.number < number && number - known.number <= stepsMax)
}

/** Keeps the seed of a round that passed the check: later rounds must lead back to it. */
export function rememberSeed({ number, seed }: Pick<Round, 'number' | 'seed'>): void {
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
