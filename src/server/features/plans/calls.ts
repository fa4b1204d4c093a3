import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { AppError } from '../../../protocol/errors.ts'
import type { plans } from '../../../protocol/plans.ts'
import type { OutputOf } from '../../../protocol/route.ts'
import type { Tx } from '../../platform/db.ts'

export type BuyReply = OutputOf<typeof plans.buy>
type Call = { userNumber: number; keys: string[]; body: object }

const LOCK_CLASS = 7_120

/** One user's plan calls go one after the other: whoever has the lock decides alone. */
export async function lockPlanCalls(tx: Tx, userNumber: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK_CLASS}::int, ${userNumber}::int)`.execute(tx)
}

/**
 * Does the work of a call once for its keys, the header's and the hash in the body; a repeat gets the first answer,
 * another body under either key is refused (R2).
 */
export async function once(tx: Tx, call: Call, work: () => Promise<BuyReply>): Promise<BuyReply> {
  const { userNumber, keys, body } = call
  await lockPlanCalls(tx, userNumber)
  const digest = digestOf(body)
  const known = await tx
    .selectFrom('plan_calls')
    .select(['digest', 'reply'])
    .where('user_number', '=', userNumber)
    .where('key', 'in', keys)
    .execute()
  if (known.some((earlier) => earlier.digest !== digest))
    throw new AppError('idempotency_mismatch', 'This key was already used for another request', 'trans_hash')
  const [first] = known
  if (first) return first.reply as BuyReply
  const reply = await work()
  const row = { user_number: userNumber, digest, reply: JSON.stringify(reply) }
  await tx
    .insertInto('plan_calls')
    .values(keys.map((key) => ({ ...row, key })))
    .execute()
  return reply
}

const digestOf = (body: object): string =>
  hash(
    'sha256',
    JSON.stringify(Object.entries(body).sort(), (_key, value) =>
      typeof value === 'bigint' ? value.toString() : value,
    ),
  )
