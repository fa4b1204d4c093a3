import { type Selectable, sql } from 'kysely'
import { pointsOf, quizRules, replay } from '../../../protocol/quiz-engine.ts'
import type { Invariant } from '../../ledger/audit.ts'
import { type Db, newId, type Tx } from '../../platform/db.ts'
import type { Tables } from '../../platform/tables.ts'
import { orderOf, rightSlot } from './dealer.ts'
import type { GameId } from './tables.ts'

type GameRow = Selectable<Tables['quiz_games']>
type EventRow = Selectable<Tables['quiz_events']>

const GAMES_AT_ONCE = 500

export const quizInvariants: Invariant[] = [{ number: 19, name: 'Every paid score replays', check: findBrokenGames }]

/**
 * One finding for each score that does not replay. An audit checks the newest games and as many consecutive ones from
 * a random point in time, so it stays fast and covers all games over time.
 */
export async function findBrokenGames(db: Db | Tx): Promise<string[]> {
  const games = await listGamesToCheck(db)
  if (games.length === 0) return []
  const ids = games.map(({ id }) => id)
  const events = await db.selectFrom('quiz_events').selectAll().where('game_id', 'in', ids).orderBy('number').execute()
  const byGame = Map.groupBy(events, ({ game_id }) => game_id)
  const broken = games.flatMap((game) =>
    gameProblems(game, byGame.get(game.id) ?? []).map((problem) => `game ${game.id}: ${problem}`),
  )
  return [...broken, ...(await findUnearned(db, games))]
}

async function listGamesToCheck(db: Db | Tx): Promise<GameRow[]> {
  const ended = db.selectFrom('quiz_games').selectAll().where('ended_at', 'is not', null).limit(GAMES_AT_ONCE)
  const newest = await ended.orderBy('id', 'desc').execute()
  const first = newest.length < GAMES_AT_ONCE ? undefined : await ended.orderBy('id').executeTakeFirst()
  if (!first) return newest
  const [fromMs, toMs] = [first, newest[0] ?? first].map(({ started_at }) => started_at.getTime())
  const momentMs = (fromMs ?? 0) + Math.random() * ((toMs ?? 0) - (fromMs ?? 0))
  const drawn = await ended
    .where('id', '>=', newId<'game'>(Math.floor(momentMs)) as GameId)
    .orderBy('id')
    .execute()
  return [...new Map([...newest, ...drawn].map((game) => [game.id, game])).values()]
}

function gameProblems(game: GameRow, rows: EventRow[]): string[] {
  const deals = rows.filter(({ event }) => event.kind === 'deal')
  const misdealt = deals.some(
    ({ option_order }, index) => String(option_order) !== String(orderOf(game.deal_seed, index + 1)),
  )
  if (misdealt) return ['the options were not shuffled from its seed']
  if (rows.some(({ number }, index) => number !== index + 1)) return ['an event is missing']
  const misjudged = rows.some(({ event, number }) => {
    if (event.kind !== 'shot' && event.kind !== 'escape') return false
    const dealt = deals.findLast((row) => row.number < number)
    return event.right !== rightSlot(dealt?.option_order ?? [])
  })
  if (misjudged) return ['a shot was judged against the wrong answer']
  try {
    const state = replay(
      Number(game.seed),
      rows.map(({ event }) => event),
    )
    if (state.end !== game.end_reason) return [`ended as ${game.end_reason}, replays to ${state.end}`]
    if (state.score !== game.score) return [`scored ${game.score}, replays to ${state.score}`]
    if (state.hits !== game.hits || state.comboBest !== game.combo_best) return ['hits or combo do not replay']
    return (game.points ?? 0) > pointsOf(state.score) ? ['it has more points than its score is worth'] : []
  } catch (error) {
    return [`does not replay: ${(error as Error).message}`]
  }
}

/** Points, daily totals and best scores of these players that do not match their games. */
async function findUnearned(db: Db | Tx, games: GameRow[]): Promise<string[]> {
  const ids = games.map(({ id }) => id)
  const players = [...new Set(games.map(({ user_number }) => user_number))]
  const { rows } = await sql<{ problem: string }>`
    select 'game ' || g.id || ' has points that do not match the award' as problem
    from quiz_games g left join point_awards a
      on a.user_number = g.user_number and a.source = 'quiz' and a.reference = g.id::text
    where g.id = any(${ids}) and coalesce(a.points, 0) <> g.points
    union all
    select 'points were awarded for game ' || a.reference || ', which the player never played' from point_awards a
    where a.user_number = any(${players}) and a.source = 'quiz' and not exists (
      select from quiz_games g where g.id::text = a.reference and g.user_number = a.user_number)
    union all
    select 'player ' || user_number || ' got more points in a day than allowed' from quiz_games
    where user_number = any(${players}) and ended_at is not null
    group by user_number, (ended_at at time zone 'UTC')::date having sum(points) > ${quizRules.pointsPerDayMax}
    union all
    select 'the best score of player ' || b.user_number || ' does not match its game' from quiz_bests b
    join quiz_games g on g.id = b.game_id
    where b.user_number = any(${players}) and (b.score is distinct from g.score or b.user_number <> g.user_number)
  `.execute(db)
  return rows.map(({ problem }) => problem)
}
