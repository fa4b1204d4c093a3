import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { AppError } from '../../../protocol/errors.ts'
import { type Db, newId, type Tx } from '../../platform/db.ts'
import type { Tables } from '../../platform/tables.ts'
import { loadGame, newSeeds, resultColumns, reward, type UserGame } from './games.ts'
import { decide, follow, type Game, type Move, replayed } from './moves.ts'
import type { GameId } from './tables.ts'

/**
 * Games of visitors without an account. The server deals and judges them like any other game. The pass that a visitor
 * gets at the start is the game's id with our signature: only its holder can play the game, and keep it after signing up.
 * A pass says nothing about the score, which is replayed from the stored events.
 */
type GuestGame = Game<Selectable<Tables['quiz_guest_games']> & { topic: null }>

/** With `duelOf`, the questions of that game are dealt again, and its targets move in the same way. */
export async function startGuestGame(tx: Tx, now: Date, duelOf?: GameId): Promise<{ pass: string; game: GuestGame }> {
  const original = duelOf
    ? await tx.selectFrom('quiz_games').select('seed').where('id', '=', duelOf).executeTakeFirstOrThrow()
    : {}
  const row = await tx
    .insertInto('quiz_guest_games')
    .values({ id: newId<'game'>(), ...newSeeds(), ...original, started_at: now, duel_of: duelOf ?? null })
    .returningAll()
    .executeTakeFirstOrThrow()
  const game = replayed({ ...row, topic: null }, [])
  return { pass: `${row.id}.${sign(await getKey(tx), row.id).toString('base64url')}`, game }
}

export async function playGuestGame(tx: Tx, pass: string, move: Move, now: Date) {
  const game = await loadGuestGame(tx, pass)
  const { event, refused } = decide(game, move, now)
  if (!event) return { game, refused }
  const planned = game.row.duel_of ? await listDealt(tx, game.row.duel_of) : []
  const { after, stored } = follow(game, event, { recent: new Set(), planned })
  await sql`update quiz_guest_games set events = events || ${JSON.stringify([stored])}::jsonb where id = ${game.row.id}`.execute(
    tx,
  )
  return { game: after, refused }
}

/**
 * Copies a guest's game to the user who signed up: once, because both rows have the same id. A game that is still open
 * ends first. It counts as of now, within today's limit of points. It closes no ring, because rings decide about money.
 */
export async function keepGuestGame(tx: Tx, pass: string, userNumber: number, now: Date): Promise<UserGame> {
  const { game } = await playGuestGame(tx, pass, { kind: 'end' }, now)
  const { events, topic, duel_of, ...row } = game.row
  if (duel_of)
    throw new AppError(
      'duel_not_kept',
      'The score of a duel cannot be kept, because its questions may be known.',
      'pass',
    )
  // The lock on the guest's game lets only one call look and insert at a time.
  const earlier = await tx.selectFrom('quiz_games').select('id').where('id', '=', row.id).executeTakeFirst()
  if (earlier) return loadKept(tx, row.id, userNumber)
  const kept = await tx
    .insertInto('quiz_games')
    .values({ ...row, topic, user_number: userNumber, ...(await resultColumns(tx, userNumber, game.state, now)) })
    .returningAll()
    .executeTakeFirstOrThrow()
  await sql`
    insert into quiz_events (game_id, number, event, question_id, option_order)
    select g.id, e.number, e.value -> 'event', e.value ->> 'question_id', case
      when jsonb_typeof(e.value -> 'option_order') = 'array'
      then array(select jsonb_array_elements_text(e.value -> 'option_order')::smallint) end
    from quiz_guest_games g, jsonb_array_elements(g.events) with ordinality as e (value, number)
    where g.id = ${row.id}`.execute(tx)
  await reward(tx, kept, now)
  return { ...game, row: kept }
}

const loadKept = (tx: Tx, id: GameId, userNumber: number): Promise<UserGame> =>
  loadGame(tx, id, userNumber).catch(() => {
    throw new AppError('already_recorded', 'These points were already kept by another account.', 'pass')
  })

/** Locks the game of this pass. Without our signature, no caller finds the game. */
async function loadGuestGame(tx: Tx, pass: string): Promise<GuestGame> {
  const [id = '', mac = ''] = pass.split('.')
  const [given, expected] = [Buffer.from(mac, 'base64url'), sign(await getKey(tx), id)]
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected)
  const row = isOurs
    ? await tx
        .selectFrom('quiz_guest_games')
        .selectAll()
        .where('id', '=', id as GameId)
        .forUpdate()
        .executeTakeFirst()
    : undefined
  if (!row) throw new AppError('not_found', 'This game is no longer here. Start a new one.', 'pass')
  return replayed({ ...row, topic: null }, row.events)
}

async function listDealt(tx: Tx, id: GameId): Promise<string[]> {
  const { rows } = await sql<{ question_id: string }>`
    select question_id from quiz_events where game_id = ${id} and question_id is not null order by number`.execute(tx)
  return rows.map(({ question_id }) => question_id)
}

const sign = (key: Buffer, id: string): Buffer => createHmac('sha256', key).update(`guest game ${id}`).digest()

async function getKey(db: Db | Tx): Promise<Buffer> {
  const { rows } = await sql<{ key: Buffer }>`select key from quiz_keys`.execute(db)
  const key = rows[0]?.key
  if (!key) throw new Error('the key for the passes of guests is missing')
  return key
}
