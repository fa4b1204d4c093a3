import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { AppError } from '../../../protocol/errors.ts'
import type { OrderId } from '../../../protocol/plans.ts'
import type { ShareFigures, ShareWhat } from '../../../protocol/shares.ts'
import { daysBetween } from '../../../protocol/time.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { readLeaderboard } from '../quiz/leaderboard.ts'
import type { GameId } from '../quiz/tables.ts'
import { readToday } from '../wellness/today.ts'

const TOKEN_BYTES = 16

/** The link to these figures: the one that exists, or a new one. The server reads the figures; no caller can invent any. */
export async function share(tx: Tx, userNumber: number, what: ShareWhat, now: Date) {
  const figures = await readFigures(tx, userNumber, what, now)
  const gameId = what.kind === 'quiz' ? what.game : null
  const { rows } = await sql<{ token: string }>`
    insert into shares (link, user_number, kind, figures, game_id)
    values (${randomBytes(TOKEN_BYTES).toString('base64url')}, ${userNumber}, ${what.kind},
      ${JSON.stringify(figures)}::jsonb, ${gameId})
    on conflict (user_number, kind, figures) do nothing returning link as token`.execute(tx)
  const token = rows[0]?.token ?? (await findSame(tx, userNumber, figures))
  return { token, figures }
}

async function findSame(tx: Tx, userNumber: number, figures: ShareFigures): Promise<string> {
  const { rows } = await sql<{ token: string }>`
    select link as token from shares where user_number = ${userNumber} and kind = ${figures.kind}
      and figures = ${JSON.stringify(figures)}::jsonb`.execute(tx)
  if (!rows[0]) throw new AppError('not_found', 'This link was removed a moment ago. Share it again.')
  return rows[0].token
}

async function readFigures(tx: Tx, userNumber: number, what: ShareWhat, now: Date): Promise<ShareFigures> {
  if (what.kind === 'quiz') return readGame(tx, userNumber, what.game, now)
  if (what.kind === 'plan') return readPlan(tx, userNumber, what.order)
  const { rings, streak } = await readToday(tx, userNumber, now)
  const closed = rings.filter((ring) => ring.closed).length
  if (what.kind === 'rings' && closed > 0) return { kind: 'rings', closed, rings: rings.length }
  if (what.kind === 'streak' && streak.current > 0) return { kind: 'streak', days: streak.current }
  throw new AppError('nothing_to_share', 'Close a ring first. Then there is something to show.')
}

async function readGame(tx: Tx, userNumber: number, id: GameId, now: Date): Promise<ShareFigures> {
  const game = await tx
    .selectFrom('quiz_games')
    .select(['score', 'hits', 'ended_at'])
    .where('id', '=', id)
    .where('user_number', '=', userNumber)
    .executeTakeFirst()
  if (!game) throw new AppError('not_found', 'There is no such game')
  if (!game.ended_at || !game.score) throw new AppError('nothing_to_share', 'Finish a game with points first.')
  const { rows } = await sql<{ questions: number }>`
    select count(*)::int as questions from quiz_events
    where game_id = ${id} and event ->> 'kind' in ('shot', 'escape')`.execute(tx)
  const { mine } = await readLeaderboard(tx, 'day', userNumber, now)
  const questions = rows[0]?.questions ?? 0
  return { kind: 'quiz', score: game.score, hits: game.hits ?? 0, questions, rank: mine?.rank ?? 0 }
}

async function readPlan(tx: Tx, userNumber: number, order: OrderId): Promise<ShareFigures> {
  const lot = await tx
    .selectFrom('plan_lots')
    .select(['tier', 'started_on', 'matures_on', 'matured_at'])
    .where('order_id', '=', order)
    .where('user_number', '=', userNumber)
    .executeTakeFirst()
  if (!lot) throw new AppError('not_found', 'There is no such plan')
  if (!lot.matured_at) throw new AppError('nothing_to_share', 'This plan is still running.')
  return { kind: 'plan', tier: lot.tier, days: daysBetween(lot.started_on, lot.matures_on) }
}

export async function removeShare(tx: Tx, userNumber: number, token: string): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('shares')
    .where('link', '=', token)
    .where('user_number', '=', userNumber)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw new AppError('not_found', 'You have no such link')
}

export async function getShare(db: Db | Tx, token: string) {
  const shared = await db
    .selectFrom('shares')
    .innerJoin('users', 'users.number', 'shares.user_number')
    .select(['users.username', 'shares.figures', 'shares.game_id'])
    .where('shares.link', '=', token)
    .executeTakeFirst()
  if (!shared) throw new AppError('not_found', 'This link no longer works. Its owner may have removed it.')
  return shared
}
