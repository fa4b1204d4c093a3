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
 * Transfers are committed in batches, so the ledger stores their key, digest and reply inside the posting; `keyedId`
 * turns the key into the posting's reference.
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
  const digest = digestOf(call.request)
  await lockKeys(tx, call)
  const known = await findKeys(tx, call)
  if (known.some((earlier) => earlier.digest !== digest)) throw (call.mismatch ?? mismatch)()
  const [first] = known
  const reply = first ? (z.decode(call.output, first.reply) as Reply) : await work(tx)
  if (reply instanceof AppError) return reply
  await storeKeys(tx, call, digest, first?.reply ?? z.encode(call.output, reply))
  return reply
}

const mismatch = () => new AppError('idempotency_mismatch', 'This key was already used for another request')

// Sorted, so that two calls with the same keys cannot deadlock.
async function lockKeys(tx: Tx, { userNumber, keys }: Call): Promise<void> {
  const names = keys.map(({ scope, key }) => JSON.stringify([userNumber, scope, key])).sort()
  for (const name of names) await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
}

const findKeys = (tx: Tx, { userNumber, keys }: Call) =>
  tx
    .selectFrom('idempotency_keys')
    .select(['digest', 'reply'])
    .where('user_number', '=', userNumber)
    .where((row) => row.or(keys.map(({ scope, key }) => row.and({ scope, key }))))
    .execute()

async function storeKeys(tx: Tx, { userNumber, keys }: Call, digest: string, reply: unknown): Promise<void> {
  const row = { user_number: userNumber, digest, reply: JSON.stringify(reply) }
  await tx
    .insertInto('idempotency_keys')
    .values(keys.map(({ scope, key }) => ({ ...row, scope, key })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
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
