import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { AppError } from '../../protocol/errors.ts'
import { type Db, type Tx, transaction } from './db.ts'

/**
 * The one way to be idempotent (R2). A reply is stored under its key, with a digest of the request:
 *
 *   same key, same request      the stored reply; nothing changes
 *   same key, other request     409
 *   no key                      every request is a new one
 *
 * A call has up to two keys: the `Idempotency-Key` header, scoped to user and route, and a natural key inside the
 * request (a transaction hash, a nonce), scoped to user and kind. Key, reply and everything the call writes are
 * committed in one transaction. A refused call stores nothing and can be repeated with the same key. Replies with a
 * secret are never stored: sign-in has its own one-time nonce instead.
 *
 * Changes that are committed in groups use the same keys: bets read and store them with `readReplies` and
 * `storeReplies`. Transfers keep key, digest and reply inside their posting; `keyedId` turns the key into the posting's
 * reference.
 */
export type Key = { scope: string; key: string }

export type Call = {
  userNumber: number
  keys: readonly Key[]
  /** Everything a repeat must match: the route and its decoded input. */
  request: unknown
  /** Encodes the reply for storage, and decodes it for a repeat. */
  output: z.ZodType
  /** The error for a used key with another request; the default is 409. */
  mismatch?: (() => AppError) | undefined
}

/** Throw an error to roll back; return one to commit and still refuse the call. */
export type Work<Reply> = (tx: Tx) => Promise<Reply | AppError>

/** Runs a change in one transaction, and only once for the same keys. */
export async function changeOnce<Reply>(db: Db, call: Call, work: Work<Reply>): Promise<Reply> {
  const outcome = await transaction(db, (tx) => (call.keys.length === 0 ? work(tx) : once(tx, call, work)))
  if (outcome instanceof AppError) throw outcome
  return outcome
}

async function once<Reply>(tx: Tx, call: Call, work: Work<Reply>): Promise<Reply | AppError> {
  await lockKeys(tx, call)
  const known = (await readReplies(tx, [call])).find(call)
  const reply = known === undefined ? await work(tx) : (z.decode(call.output, known) as Reply)
  if (reply instanceof AppError) return reply
  // A repeat may have a second key that is not stored yet.
  await storeReplies(tx, [{ call, reply: known ?? z.encode(call.output, reply) }])
  return reply
}

const mismatch = () => new AppError('idempotency_mismatch', 'This key was already used for another request')
const nameOf = (userNumber: number, { scope, key }: Key) => JSON.stringify([userNumber, scope, key])

// Sorted, so that two calls with the same keys cannot deadlock.
async function lockKeys(tx: Tx, { userNumber, keys }: Call): Promise<void> {
  const names = keys.map((key) => nameOf(userNumber, key)).sort()
  for (const name of names) await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
}

/** A call, and its reply as it is stored. */
type Answered = { call: Call; reply: unknown }
type Stored = { digest: string; reply: unknown }

export type Replies = {
  /** The stored reply of a repeat; undefined for a new request. Throws if a key was used for another request. */
  find(call: Call): unknown
  /** Makes a reply known to the calls that come later in the same group. */
  add(answered: Answered): void
}

/**
 * Reads the stored replies of a group of calls. Take a lock first that every call with the same keys needs, so that no
 * other transaction can store a reply until this one ends.
 */
export async function readReplies(tx: Tx, calls: readonly Call[]): Promise<Replies> {
  const stored = new Map((await listStored(tx, calls)).map((row) => [nameOf(row.user_number, row), row as Stored]))
  return {
    find(call) {
      const known = call.keys.flatMap((key) => stored.get(nameOf(call.userNumber, key)) ?? [])
      if (known.length === 0) return undefined
      const digest = digestOf(call.request)
      if (known.some((earlier) => earlier.digest !== digest)) throw (call.mismatch ?? mismatch)()
      return known[0]?.reply
    },
    add({ call, reply }) {
      const digest = digestOf(call.request)
      for (const key of call.keys) stored.set(nameOf(call.userNumber, key), { digest, reply })
    },
  }
}

async function listStored(tx: Tx, calls: readonly Call[]): Promise<(Key & Stored & { user_number: number })[]> {
  const asked = calls.flatMap(({ userNumber, keys }) => keys.map((key) => ({ ...key, userNumber })))
  if (asked.length === 0) return []
  const { rows } = await sql<Key & Stored & { user_number: number }>`
    select user_number, scope, key, digest, reply from idempotency_keys
    join unnest(${asked.map(({ userNumber }) => userNumber)}::int[], ${asked.map(({ scope }) => scope)}::text[],
      ${asked.map(({ key }) => key)}::text[]) as asked (user_number, scope, key) using (user_number, scope, key)`.execute(
    tx,
  )
  return rows
}

/** Stores replies under all keys of their calls. A key that is stored already keeps its reply. */
export async function storeReplies(tx: Tx, answered: readonly Answered[]): Promise<void> {
  const rows = answered.flatMap(({ call, reply }) => {
    const row = { user: call.userNumber, digest: digestOf(call.request), reply: JSON.stringify(reply) }
    return call.keys.map((key) => ({ ...row, ...key }))
  })
  if (rows.length === 0) return
  await sql`
    insert into idempotency_keys (user_number, scope, key, digest, reply)
    select * from unnest(${rows.map(({ user }) => user)}::int[], ${rows.map(({ scope }) => scope)}::text[],
      ${rows.map(({ key }) => key)}::text[], ${rows.map(({ digest }) => digest)}::text[],
      ${rows.map(({ reply }) => reply)}::jsonb[])
    on conflict do nothing`.execute(tx)
}

/** SHA-256 of a value as JSON with sorted keys, so that the order of fields does not matter. */
const digestOf = (value: unknown): string =>
  hash(
    'sha256',
    JSON.stringify(value, (_key, inner) => {
      if (typeof inner === 'bigint') return inner.toString()
      if (inner === null || typeof inner !== 'object' || Array.isArray(inner)) return inner
      return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
    }),
  )

/** Deterministic UUID derived from an idempotency key. */
export function keyedId(...words: (string | number)[]): string {
  const hex = hash('sha256', JSON.stringify(words))
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
