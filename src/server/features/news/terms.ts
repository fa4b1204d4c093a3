import { sql } from 'kysely'
import { encodeFacts } from '../../../protocol/news.ts'
import type { Context } from '../../context.ts'
import { type Db, type Tx, transaction } from '../../platform/db.ts'
import { publish } from '../../platform/events.ts'
import { listTermsPeriods, type TermsPeriod } from '../../platform/terms.ts'

const BATCH_MAX = 1_000

/**
 * Tells all users of announced terms, a thousand per transaction. How far it came is stored in the same transaction, so a
 * worker that takes over continues there, and a version that is cancelled meanwhile goes no further.
 */
export async function tellOfTerms({ db }: Pick<Context, 'db'>): Promise<void> {
  while (await tellNext(db));
}

async function tellNext(db: Db): Promise<boolean> {
  const [, ...announced] = await listTermsPeriods(db)
  for (const period of announced) if (await transaction(db, (tx) => tellBatch(tx, period))) return true
  return false
}

/** Whether there was anyone left to tell. */
async function tellBatch(tx: Tx, { version, startsAt }: TermsPeriod): Promise<boolean> {
  await sql`insert into news_broadcasts (version) values (${version}) on conflict do nothing`.execute(tx)
  const { told_until, done } = await tx
    .selectFrom('news_broadcasts')
    .select(['told_until', 'done'])
    .where('version', '=', version)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (done) return false
  const facts = encodeFacts({ kind: 'terms_changing', facts: { version, takes_effect_at: startsAt } })
  const { rows } = await sql<{ number: number }>`
    with next as (select number from users where number > ${told_until} order by number limit ${BATCH_MAX}),
      told as (insert into news (user_number, id, kind, key, facts)
        select number, new_id(), 'terms_changing', ${String(version)}, ${JSON.stringify(facts)}::jsonb from next
        on conflict do nothing)
    select number from next order by number`.execute(tx)
  const last = rows.at(-1)?.number ?? told_until
  await tx
    .updateTable('news_broadcasts')
    .set({ told_until: last, done: rows.length < BATCH_MAX })
    .where('version', '=', version)
    .execute()
  await publish(tx, ...rows.map(({ number: user }) => ({ topic: 'news', user })))
  return rows.length === BATCH_MAX
}
