import { useState } from 'react'
import type { Details } from '../../protocol/balance.ts'
import { colour } from '../../protocol/colour.ts'
import { quiz } from '../../protocol/quiz.ts'
import { wellness } from '../../protocol/wellness.ts'
import { isTried, useRead } from '../shared/api/api.ts'
import { hasChecked } from '../shared/check/checked.ts'

export type StepName = 'plan' | 'round' | 'ring' | 'check'

/** The first steps that are still open, in order. Undefined while it is not known yet. */
export function useSteps(details: Details | undefined) {
  const today = useRead(wellness.today, {})
  const games = useRead(quiz.overview, {})
  const quizGames = games.data?.data.games
  const bets = useRead(colour.betHistory, { page_no: 1, page_size: 1 }, { enabled: quizGames === 0 })
  // A check that ends while the page is open stays on it, with its result.
  const [isChecked] = useState(hasChecked)

  const rings = today.data?.data
  const played = quizGames === 0 ? bets.data && bets.data.total > 0 : quizGames && quizGames > 0
  const hasFailed = [today, games, bets].some((read) => isTried(read) && !read.data)
  const error = today.error ?? games.error ?? bets.error
  const refetch = () => [today, games, bets].map((read) => read.error && read.refetch())
  if (!details || !rings || played === undefined) return { open: undefined, hasFailed, error, refetch }
  const done: Record<StepName, boolean> = {
    plan: details.lots.length > 0 || details.pending.length > 0,
    round: Boolean(played),
    ring: rings.streak.longest > 0 || rings.rings.some(({ closed }) => closed),
    check: isChecked,
  }
  const names = Object.keys(done) as StepName[]
  return { open: names.filter((name) => !done[name]), hasFailed: false, error: null, refetch }
}
