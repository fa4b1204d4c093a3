import { hash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Pool, QueryConfig } from 'pg'
import type { ProofKey } from '../../../protocol/users.ts'
import type { Session, User } from '../../context.ts'
import { batched } from '../../platform/batch.ts'
import { type Db, newId, type Tx } from '../../platform/db.ts'
import { publish, SIGNED_OUT } from '../../platform/events.ts'
import { hideTokens } from './hidden-tokens.ts'

export const IDLE_DAYS_MAX = 7
export const DAYS_MAX = 30
const DEVICE_CHARS_MAX = 200
/** Every call waits for a look-up, and those that arrive meanwhile wait for the one before them. */
const LOOK_UP_MS_MAX = 3_000

const hashOf = (token: string): Buffer => hash('sha256', token, 'buffer')

/** Opens a session and returns its token. Only the hash of the token is stored (R5). */
export async function openSession(tx: Tx, userNumber: number, device: string, proofKey?: ProofKey): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await tx
    .insertInto('sessions')
    .values({
      id: newId<'session'>(),
      user_number: userNumber,
      token_hash: hashOf(token),
      proof_key: proofKey ? JSON.stringify(proofKey) : null,
      // Cut first: a token must not become visible by cutting what follows it.
      device: await hideTokens(tx, device.slice(0, DEVICE_CHARS_MAX)),
    })
    .execute()
  return token
}

/** Whether the token belongs to the session, for calls that also send it in the body. */
export async function ownsToken(db: Db, sessionId: string, token: string): Promise<boolean> {
  const found = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('token_hash', '=', hashOf(token))
    .executeTakeFirst()
  return found !== undefined
}

export async function endSession(tx: Tx, { id, user }: Session): Promise<void> {
  await tx.updateTable('sessions').set({ ended_at: sql`now()` }).where('id', '=', id).execute()
  await publish(tx, { topic: SIGNED_OUT, user: user.number, data: { session: id } })
}

export async function endAllSessions(tx: Tx, userNumber: number): Promise<number> {
  const ended = await tx
    .updateTable('sessions')
    .set({ ended_at: sql`now()` })
    .where('user_number', '=', userNumber)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  await publish(tx, { topic: SIGNED_OUT, user: userNumber })
  return Number(ended.numUpdatedRows)
}

type Row = User & { session_id: string; proof_key: ProofKey | null; frozen: boolean; is_stale: boolean }
export type FoundSession = Session & {
  proofKey: ProofKey | null
  frozen: boolean
  /** Whether the session still has not ended. */
  isLive(): Promise<boolean>
}

const liveSessions = `
  select encode(s.token_hash, 'hex') as token_hash, s.id as session_id, s.proof_key, s.seen_at < now() - interval '1 hour' as is_stale,
         u.id, u.number, u.username, u.wallet_address as "walletAddress", u.frozen_at is not null as frozen
  from sessions s join users u on u.number = s.user_number
  where s.token_hash = any($1::bytea[]) and s.ended_at is null
    and s.seen_at > now() - interval '${IDLE_DAYS_MAX} days' and s.created_at > now() - interval '${DAYS_MAX} days'`

/** Finds live sessions by token. Concurrent look-ups are batched into one query. */
export function createSessionFinder(db: Db, pool: Pool) {
  const find = batched<string, Row>(
    async (tokens) => {
      const hashes = tokens.map((token) => hash('sha256', token))
      const query: QueryConfig & { query_timeout: number } = {
        name: 'live_sessions',
        text: liveSessions,
        values: [hashes.map((hex) => `\\x${hex}`)],
        query_timeout: LOOK_UP_MS_MAX,
      }
      const { rows } = await pool.query<Row & { token_hash: string }>(query)
      const byHash = new Map(rows.map((row) => [row.token_hash, row]))
      return hashes.map((hex) => byHash.get(hex))
    },
    { name: 'sessions' },
  )

  return async (token: string): Promise<FoundSession | undefined> => {
    const row = await find(token)
    if (!row) return undefined
    if (row.is_stale)
      await db.updateTable('sessions').set({ seen_at: sql`now()` }).where('id', '=', row.session_id).execute()
    const { id, number, username, walletAddress } = row
    return {
      id: row.session_id,
      user: { id, number, username, walletAddress },
      proofKey: row.proof_key,
      isBound: row.proof_key !== null,
      frozen: row.frozen,
      // Does not update `seen_at`: an open page alone does not keep a session alive.
      isLive: async () => (await find(token)) !== undefined,
    }
  }
}
