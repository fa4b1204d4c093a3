import { useQuery } from '@tanstack/react-query'
import { useCallback, useReducer, useRef } from 'react'
import { type Bet, colour, type Round } from '../../protocol/colour.ts'
import { call } from '../shared/api/api.ts'

/** How long a page waits at random before it reads, so that open pages do not all read at once. */
const SPREAD_MS = 800

/** `isWhole`: the server has listed all of the user's bets. Undefined while that is not known yet. */
export type Played = { round: Round; bets: Bet[]; isOver: boolean; isWhole: boolean | undefined }

/**
 * The user's bets in the displayed round. A second phone or tab may have placed some of them, so they are read from the
 * server once the round is drawn. Until the user bets again, the round before is shown with its result.
 */
export function useOwnBets(open: Bet[] | undefined, round: Round | undefined, before: Round | undefined) {
  const kept = useRef(new Map<string, Bet>())
  const whole = useRef(new Map<number, boolean>())
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const number = round?.number ?? 0
  const isDrawn = round !== undefined && round.state !== 'open'
  const read = useQuery({
    queryKey: ['bets-of-round', number],
    queryFn: () => readBets(number),
    enabled: isDrawn,
    staleTime: Number.POSITIVE_INFINITY,
    retry: 1,
  })
  for (const bet of [...(open ?? []), ...(read.data ?? [])]) kept.current.set(bet.id, bet)
  for (const [id, bet] of kept.current) if (bet.round < number - 1) kept.current.delete(id)
  if (isDrawn && !read.isPending) whole.current.set(number, read.isSuccess)
  const play = (of: Round | undefined): Played | undefined => {
    const bets = [...kept.current.values()].filter((bet) => bet.round === of?.number)
    const isWhole = of && whole.current.get(of.number)
    return of && bets.length > 0 ? { round: of, bets, isOver: of.state !== 'open', isWhole } : undefined
  }
  const add = useCallback((bet: Bet) => {
    kept.current.set(bet.id, bet)
    redraw()
  }, [])
  return { played: play(round) ?? play(before), addBet: add }
}

/** All bets of a round. They are the newest of the history, on as many pages as they fill. */
async function readBets(round: number): Promise<Bet[]> {
  await new Promise((resolve) => setTimeout(resolve, Math.random() * SPREAD_MS))
  const bets: Bet[] = []
  for (let page_no = 1; ; page_no++) {
    const { history } = await call(colour.betHistory, { page_no })
    bets.push(...history.filter((bet) => bet.round === round))
    const oldest = history.at(-1)
    if (!oldest || oldest.round < round) return bets
  }
}
