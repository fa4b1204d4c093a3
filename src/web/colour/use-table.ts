import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { z } from 'zod'
import { colour, type Round, roundRow } from '../../protocol/colour.ts'
import type { Terms } from '../../protocol/terms.ts'
import { prefersLessMotion } from '../../ui/theme.ts'
import { useRead } from '../shared/api/api.ts'
import { useEvent } from '../shared/api/events.ts'
import { queries } from '../shared/api/queries.tsx'
import { type Chain, chainOf } from '../shared/draws/known-seed.ts'
import { useSeconds } from '../shared/page/use-now.ts'
import { useChecks } from './use-checks.ts'
import { useOwnBets } from './use-own-bets.ts'

/** How long the marker takes to stop on the drawn number. */
export const REVEAL_MS = 2_600
const RESULTS_MAX = 50

export type Phase = 'waiting' | 'betting' | 'drawing' | 'revealing' | 'result'

/** State of the page: the round, its phase by the server's clock, results with their checks, and the user's bets. */
export function useTable() {
  const game = useRead(colour.activeGame, {})
  const offsetMs = game.data ? game.data.data.now.getTime() - game.dataUpdatedAt : 0
  const rounds = useRounds(game.data?.data.round ?? undefined, offsetMs)
  const before = rounds.results.find(({ number }) => number === (rounds.round?.number ?? 0) - 1)
  const own = useOwnBets(game.data?.data.bets, rounds.round, before)
  usePaid(rounds.phase)
  return { game, ...rounds, ...own }
}

/** What everyone sees: the round that runs, its phase, and results with their checks. `offsetMs`: to the server's clock. */
export function useRounds(running: Round | undefined, offsetMs: number) {
  const past = useRead(colour.games, {})
  const fairness = useRead(colour.fairness, {})
  const live = useLiveRounds()
  const results = useResults(past.data?.data, live.finished)
  const round = newest(live.latest, running)
  // Rounds close and open a whole number of seconds apart.
  const nowMs = useSeconds((round?.closes_at.getTime() ?? 0) - offsetMs) + offsetMs
  const chains = fairness.data?.data.chains
  useChainOf(round?.number ?? results[0]?.number, chains)
  const checks = useChecks(results, chains, live.seen)
  const phase = phaseOf(round, nowMs, live.isRevealing)
  return { past, fairness, round, phase, nowMs, results, checks }
}

/** Rounds run back to back. Counts on from the last opening time the server sent. */
export function nextOpening(lastKnown: Date, nowMs: number, { colourRoundSeconds }: Terms): Date {
  const roundMs = colourRoundSeconds * 1000
  const passed = Math.max(0, Math.floor((nowMs - lastKnown.getTime()) / roundMs) + 1)
  return new Date(lastKnown.getTime() + passed * roundMs)
}

const refetch = (...paths: string[]) => paths.map((path) => queries.invalidateQueries({ queryKey: [path] }))

export const refreshGame = () =>
  void refetch('/active-game/', '/colour/limits/', '/bet_history/', '/betwallet_history/', '/detail/')

/** Events received since the page was opened. After a result, refetches balances once the marker has stopped. */
function useLiveRounds() {
  const [latest, setLatest] = useState<Round>()
  const [finished, setFinished] = useState<Round[]>([])
  const [isRevealing, setRevealing] = useState(false)
  const reveal = useRef<ReturnType<typeof setTimeout>>(undefined)
  const seen = useRef(new Set<number>())
  const onRound = useCallback((data: unknown) => {
    const round = z.decode(roundRow, data as z.input<typeof roundRow>)
    setLatest((before) => newest(round, before))
    if (round.state === 'open') return
    seen.current.add(round.number)
    setFinished((list) => [round, ...list.filter(({ number }) => number !== round.number)].slice(0, RESULTS_MAX))
    const restMs = prefersLessMotion() ? 0 : REVEAL_MS
    setRevealing(restMs > 0)
    clearTimeout(reveal.current)
    reveal.current = setTimeout(setRevealing, restMs, false)
    // Jitter, so that open pages do not all refetch at once.
    setTimeout(refreshGame, restMs + Math.random() * 1_000)
  }, [])
  const onResync = useCallback(
    () => void refetch('/active-game/', '/colour/running/', '/games/', '/colour/limits/'),
    [],
  )
  useEvent('round', onRound)
  useEvent('resync', onResync)
  return { latest, finished, isRevealing, seen: seen.current }
}

/** The later of two rounds: the higher number, or the later state of the same round. */
function newest(a: Round | undefined, b: Round | undefined): Round | undefined {
  if (!a || !b) return a ?? b
  if (a.number !== b.number) return a.number > b.number ? a : b
  if (a.state !== b.state) return a.state === 'open' ? b : a
  return a.bets >= b.bets ? a : b
}

/** A page that is open for long, or was opened before the first round, does not know the chain of seeds that came later. */
function useChainOf(round: number | undefined, chains: readonly Chain[] | undefined): void {
  const withoutChain = round !== undefined && chains && !chainOf(chains, round) ? round : undefined
  useEffect(() => {
    if (withoutChain !== undefined) void refetch('/colour/fairness/')
  }, [withoutChain])
}

function useResults(past: Round[] | undefined, live: Round[]): Round[] {
  return useMemo(() => {
    const byNumber = new Map([...(past ?? []), ...live].map((round) => [round.number, round]))
    return [...byNumber.values()].sort((a, b) => b.number - a.number).slice(0, RESULTS_MAX)
  }, [past, live])
}

/** The server sends `balance` when it has paid a win or returned a stake. Read then, but not before the marker stops. */
function usePaid(phase: Phase): void {
  const isRevealing = useRef(false)
  isRevealing.current = phase === 'revealing'
  const onBalance = useCallback(() => {
    if (!isRevealing.current) refreshGame()
  }, [])
  useEvent('balance', onBalance)
}

function phaseOf(round: Round | undefined, nowMs: number, isRevealing: boolean): Phase {
  if (!round) return 'waiting'
  if (round.state === 'open') return nowMs < round.closes_at.getTime() ? 'betting' : 'drawing'
  return isRevealing ? 'revealing' : 'result'
}
