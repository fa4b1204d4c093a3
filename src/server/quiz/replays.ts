import { type Selectable, sql } from 'kysely'
import { pointsOf, quizRules, replay } from '../../protocol/quiz-engine.ts'
import type { Db } from '../platform/db.ts'
import type { Tables } from '../platform/tables.ts'
import { orderOf, rightSlot } from './dealer.ts'
import type { GameId } from './queries.ts'

type GameRow = Selectable<Tables['quiz_games']>
type EventRow = Selectable<Tables['quiz_events']>

const GAMES_AT_ONCE = 200

/** Invariant 19: every score that counted replays from its events. Returns a sentence for each that does not. */
export async function findBrokenGames(db: Db): Promise<string[]> {
  const problems: string[] = []
  let after: GameId | undefined
  for (;;) {
    const games = await db
      .selectFrom('quiz_games')
      .selectAll()
      .where('ended_at', 'is not', null)
      .$if(after !== undefined, (query) => query.where('id', '>', after as GameId))
      .orderBy('id')
      .limit(GAMES_AT_ONCE)
      .execute()
    if (games.length === 0) break
    const ids = games.map(({ id }) => id)
    const events = await db
      .selectFrom('quiz_events')
      .selectAll()
      .where('game_id', 'in', ids)
      .orderBy('number')
      .execute()
    const byGame = Map.groupBy(events, ({ game_id }) => game_id)
    for (const game of games)
      problems.push(...gameProblems(game, byGame.get(game.id) ?? []).map((problem) => `game ${game.id}: ${problem}`))
    after = games.at(-1)?.id
  }
  return [...problems, ...(await findUnearned(db))]
}

export function gameProblems(game: GameRow, rows: EventRow[]): string[] {
  const deals = rows.filter(({ event }) => event.kind === 'deal')
  const misdealt = deals.some(
    ({ option_order }, index) => String(option_order) !== String(orderOf(game.deal_seed, index + 1)),
  )
  if (misdealt) return ['the options were not dealt from its seed']
  if (rows.some(({ number }, index) => number !== index + 1)) return ['an event is missing']
  try {
    const state = replay(
      Number(game.seed),
      rows.map(({ event }) => event),
    )
    const wrong = rows.some(({ event, number }) => {
      if (event.kind !== 'shot' && event.kind !== 'escape') return false
      const dealt = deals.findLast((row) => row.number < number)
      return event.right !== rightSlot(dealt?.option_order ?? [])
    })
    if (wrong) return ['a shot was judged by another answer than the dealt one']
    if (state.end !== game.end_reason) return [`ended as ${game.end_reason}, replays to ${state.end}`]
    if (state.score !== game.score) return [`scored ${game.score}, replays to ${state.score}`]
    if (state.hits !== game.hits || state.comboBest !== game.combo_best) return ['hits or combo do not replay']
    return (game.points ?? 0) > pointsOf(state.score) ? ['more points than the score gives'] : []
  } catch (error) {
    return [`does not replay: ${(error as Error).message}`]
  }
}

/** Points, daily limits and bests that no game stands behind. */
async function findUnearned(db: Db): Promise<string[]> {
  const { rows } = await sql<{ problem: string }>`
    select 'points awarded for game ' || a.reference || ' differ from its own' as problem
    from point_awards a left join quiz_games g on g.id::text = a.reference and g.user_number = a.user_number
    where a.source = 'quiz' and a.points is distinct from g.points
    union all
    select 'player ' || user_number || ' got more points in a day than the limit' from quiz_games
    where ended_at is not null
    group by user_number, (ended_at at time zone 'UTC')::date having sum(points) > ${quizRules.pointsPerDayMax}
    union all
    select 'the best of player ' || b.user_number || ' is not that of its game' from quiz_bests b
    join quiz_games g on g.id = b.game_id
    where b.score is distinct from g.score or b.user_number <> g.user_number`.execute(db)
  return rows.map(({ problem }) => problem)
}
