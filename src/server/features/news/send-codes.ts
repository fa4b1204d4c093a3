import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Id } from '../../../protocol/ids.ts'
import { CODE_DIGITS } from '../../../protocol/news.ts'
import type { Context } from '../../context.ts'
import { type Db, transaction } from '../../platform/db.ts'
import { LEASE_MS, retryMs } from './deliver.ts'
import { CODE_MINUTES, codeHash } from './emails.ts'
import type { Mailer } from './mail.ts'

const BATCH_MAX = 20

type Claimed = { id: Id<'code'>; address: string; attempts: number; asked_at: Date }

/** Sends the codes that confirm addresses. Each attempt makes a new code, so only the one sent last is valid. */
export async function sendCodes({ db, clock, log }: Pick<Context, 'db' | 'clock' | 'log'>, mailer: Mailer) {
  const now = clock.now()
  for (const row of await claim(db, now)) {
    const code = randomInt(10 ** CODE_DIGITS)
      .toString()
      .padStart(CODE_DIGITS, '0')
    await db
      .updateTable('news_email_codes')
      .set({ code_hash: codeHash(row.id, code) })
      .where('id', '=', row.id)
      .execute()
    try {
      await mailer.sendCode(row.id, row.address, code)
      await plan(db, row, null)
    } catch (error) {
      log.warn({ attempts: row.attempts, err: error }, 'a code could not be sent')
      const isOver = now.getTime() - row.asked_at.getTime() > CODE_MINUTES * 60_000
      await plan(db, row, isOver ? null : new Date(clock.now().getTime() + retryMs(row.attempts)))
    }
  }
}

async function claim(db: Db, now: Date): Promise<Claimed[]> {
  const { rows } = await transaction(db, (tx) =>
    sql<Claimed>`
      update news_email_codes set attempts = attempts + 1, next_at = ${new Date(now.getTime() + LEASE_MS)}
      where id = any (array(select id from news_email_codes where next_at <= ${now}
        order by next_at limit ${BATCH_MAX} for update skip locked))
      returning id, address, attempts, asked_at`.execute(tx),
  )
  return rows
}

const plan = async (db: Db, { id }: Claimed, next_at: Date | null): Promise<void> => {
  await db.updateTable('news_email_codes').set({ next_at }).where('id', '=', id).execute()
}
