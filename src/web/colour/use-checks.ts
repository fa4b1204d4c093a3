import { useEffect, useRef, useState } from 'react'
import type { Round } from '../../protocol/colour.ts'
import { type Check, checkRound, type Known } from '../shared/draws/check-round.ts'
import { type Chain, chainOf, knownSeed, previousSeed, rememberSeed } from '../shared/draws/known-seed.ts'

export type Checks = ReadonlyMap<number, Check>

/** Few enough hashes to run unnoticed. The verifier on the trust page checks older rounds. */
const STEPS_MAX = 5_000

/** Checks every finished round whose chain is known, oldest first, each against the last seed known before it. */
export function useChecks(
  rounds: Round[],
  chains: readonly Chain[] | undefined,
  seenLive: ReadonlySet<number>,
): Checks {
  const [checks, setChecks] = useState<Checks>(new Map())
  const started = useRef(new Set<number>())
  useEffect(() => {
    if (!chains) return
    const fresh = rounds.filter(({ number }) => chainOf(chains, number) && !started.current.has(number))
    for (const { number } of fresh) started.current.add(number)
    void checkAll(fresh.sort((a, b) => a.number - b.number))

    async function checkAll(list: Round[]): Promise<void> {
      for (const round of list) {
        const known = knownBefore(round.number, rounds, chains ?? [])
        if (!known) continue
        const check = await checkRound(round, known, seenLive.has(round.number))
        if (check.verdict === 'right') rememberSeed(round)
        setChecks((all) => new Map(all).set(round.number, check))
      }
    }
  }, [rounds, chains, seenLive])
  return checks
}

/** The previous round's seed if loaded, else one that was known before. */
function knownBefore(number: number, rounds: Round[], chains: readonly Chain[]): Known | undefined {
  const chain = chainOf(chains, number)
  return chain && (previousSeed(number, chain, rounds) ?? knownSeed(number, chain, STEPS_MAX))
}
