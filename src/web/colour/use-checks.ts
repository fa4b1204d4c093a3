import { useEffect, useRef, useState } from 'react'
import type { Round } from '../../protocol/colour.ts'
import { type Check, checkRound, type Known } from '../shared/draws/check-round.ts'
import { knownSeed, rememberSeed } from '../shared/draws/known-seed.ts'

export type Checks = ReadonlyMap<number, Check>

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
        if (check.verdict === 'right') rememberSeed(round)
        setChecks((all) => new Map(all).set(round.number, check))
      }
    }
  }, [rounds, anchor, seenLive])
  return checks
}

/** The previous round's seed if loaded, else one that was known before. */
function knownBefore(number: number, rounds: Round[], anchor: Known | undefined): Known | undefined {
  const previous = rounds.find((round) => round.number === number - 1)
  if (previous?.seed) return { number: previous.number, seed: previous.seed }
  return knownSeed(number, anchor, STEPS_MAX)
}
