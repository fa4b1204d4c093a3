import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { AppError } from '../../../protocol/errors.ts'
import { DAY_MS } from '../../../protocol/time.ts'
import { type Db, newId, type Tx } from '../../platform/db.ts'

export const CODE_MINUTES = 30
const TRIES_MAX = 5
/** Codes per day, for one user and for one address, so that a mailbox cannot be filled with our codes. */
const CODES_DAY_MAX = 5
const MINUTE_MS = 60_000

export const codeHash = (id: string, code: string): Buffer => hash('sha256', `${id} ${code}`, 'buffer')

/** Asks the worker to send a code. A later one replaces an earlier one. */
export async function askForCode(tx: Tx, userNumber: number, address: string, now: Date): Promise<void> {
  // Calls for the same mailbox wait for each other, so that together they keep to the limit.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`news email ${address.toLowerCase()}`}, 0))`.execute(tx)
  await sql`select pg_advisory_xact_lock(hashtextextended(${`news email of ${userNumber}`}, 0))`.execute(tx)
  const since = new Date(now.getTime() - DAY_MS)
  const { rows } = await sql<{ by_user: number; by_address: number }>`
    select count(*) filter (where user_number = ${userNumber})::int as by_user,
      count(*) filter (where lower(address) = lower(${address}))::int as by_address
    from news_email_codes where asked_at > ${since} and (user_number = ${userNumber} or lower(address) = lower(${address}))`.execute(
    tx,
  )
  if (Math.max(rows[0]?.by_user ?? 0, rows[0]?.by_address ?? 0) >= CODES_DAY_MAX)
    throw new AppError('limit_reached', 'We sent several codes today. Look for the last one, or try again tomorrow.')
  const times = { asked_at: now, next_at: now }
  await tx
    .insertInto('news_email_codes')
    .values({ id: newId<'code'>(), user_number: userNumber, address, ...times })
    .execute()
}

/** The code that still can confirm: the newest one, for half an hour. */
const findWaiting = (db: Db | Tx, userNumber: number, now: Date) =>
  db
    .selectFrom('news_email_codes as c')
    .leftJoin('news_emails as e', 'e.user_number', 'c.user_number')
    .select(['c.id', 'c.address', 'c.code_hash', 'c.tries'])
    .where('c.user_number', '=', userNumber)
    .where('c.asked_at', '>', new Date(now.getTime() - CODE_MINUTES * MINUTE_MS))
    .where((where) =>
      where.or([where('e.confirmed_at', 'is', null), where('c.asked_at', '>', where.ref('e.confirmed_at'))]),
    )
    .orderBy('c.asked_at', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Takes one of the tries, in a transaction of its own: a wrong code is refused, and its try must stay counted. */
export async function countTry(tx: Tx, userNumber: number, now: Date): Promise<void> {
  const waiting = await findWaiting(tx, userNumber, now)
  if (!waiting) return
  const more = tx.updateTable('news_email_codes').set(({ eb }) => ({ tries: eb('tries', '+', 1) }))
  await more.where('id', '=', waiting.id).execute()
}

export async function confirmEmail(tx: Tx, userNumber: number, code: string, now: Date): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`news email of ${userNumber}`}, 0))`.execute(tx)
  const waiting = await findWaiting(tx, userNumber, now)
  if (!waiting?.code_hash) throw new AppError('not_eligible', 'No code is waiting. Ask for a new one.')
  if (waiting.tries > TRIES_MAX) throw new AppError('limit_reached', 'That was tried too often. Ask for a new code.')
  if (!timingSafeEqual(waiting.code_hash, codeHash(waiting.id, code)))
    throw new AppError('not_eligible', 'This is not the code that we sent')
  const values = { address: waiting.address, stop_key: randomBytes(16).toString('base64url'), confirmed_at: now }
  await tx
    .insertInto('news_emails')
    .values({ user_number: userNumber, ...values })
    .onConflict((conflict) => conflict.column('user_number').doUpdateSet(values))
    .execute()
}

export async function readEmail(db: Db, userNumber: number, now: Date) {
  const row = await db
    .selectFrom('news_emails')
    .select('address')
    .where('user_number', '=', userNumber)
    .executeTakeFirst()
  const waiting = await findWaiting(db, userNumber, now)
  return { address: row?.address ?? null, waiting: waiting?.address ?? null }
}

/** Forgets the address. News on their way to it are given up when the worker finds none. */
export const stopEmail = (tx: Tx, which: { userNumber: number } | { stopKey: string }) =>
  ('stopKey' in which
    ? tx.deleteFrom('news_emails').where('stop_key', '=', which.stopKey)
    : tx.deleteFrom('news_emails').where('user_number', '=', which.userNumber)
  ).execute()
