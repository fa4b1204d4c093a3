import { useEffect, useRef, useState } from 'react'
import type { Round } from '../../protocol/colour.ts'
import { type Check, checkRound, type Known } from '../shared/draws/check-round.ts'

export type Checks = ReadonlyMap<number, Check>

const MEMORY = 'colour-seed'
/** Few enough hashes to run unnoticed. The verifier on the trust page checks older rounds. */
const STEPS_MAX = 5_000

/** Checks every finished round on the page, oldest first, each against the last seed known before it. */
export function useChecks(rounds: Round[], anchor: Known | undefined, seenLive: ReadonlySet<number>): Checks {
  const [checks, setChecks] = useState<Checks>(new Map())
  const started = useRef(new Set<number>())
  useEffect(() => {
    if (!anchor) return
    const fresh = rounds.filter(({ number }) => !started.current.has(number)).sort((a, b) => a.number - b.number)
    for (const { number } of fresh) started.current.add(number)
    void checkAll(fresh)

    async function checkAll(list: Round[]): Promise<void> {
      for (const round of list) {
        const known = knownBefore(round.number, rounds, anchor)
        if (!known) continue
        const check = await checkRound(round, known, seenLive.has(round.number))
        if (check.verdict === 'right' && round.seed) remember({ number: round.number, seed: round.seed })
        setChecks((all) => new Map(all).set(round.number, check))
      }
    }
  }, [rounds, anchor, seenLive])
  return checks
}

/** The previous round's seed if loaded, else the one stored by an earlier visit, else the anchor if close enough. */
function knownBefore(number: number, rounds: Round[], anchor: Known | undefined): Known | undefined {
  const previous = rounds.find((round) => round.number === number - 1)
  if (previous?.seed) return { number: previous.number, seed: previous.seed }
  const candidates = [readMemory(), anchor].filter((known) => known !== undefined)
  return candidates.find((known) => known.number < number && number - known.number <= STEPS_MAX)
}

function remember(known: Known): void {
  const before = readMemory()
  if (!before || before.number < known.number) localStorage.setItem(MEMORY, JSON.stringify(known))
}

function readMemory(): Known | undefined {
  try {
    const known = JSON.parse(localStorage.getItem(MEMORY) ?? 'null') as Known | null
    return typeof known?.number === 'number' && /^[0-9a-f]{64}$/.test(known.seed) ? known : undefined
  } catch {
    return undefined
  }
}
