import { sql } from 'kysely'
import type { Id } from '../../../protocol/ids.ts'
import type { NewsKind } from '../../../protocol/news.ts'
import { isChosen, type NewsChannel, sendTimeOf } from '../../../protocol/news-choices.ts'
import type { Context } from '../../context.ts'
import { newId, type Tx, transaction } from '../../platform/db.ts'
import { type StoredSettings, settingsOf } from './settings.ts'
import type { DeviceId } from './tables.ts'

const BATCH_MAX = 500

type Unplanned = {
  user_number: number
  id: Id<'news'>
  kind: NewsKind
  settings: StoredSettings | null
  zone: string | null
  has_email: boolean
  has_chat: boolean
  devices: DeviceId[]
}

/** Decides which channels get new news, and when. Workers share the work: each takes rows that no other has locked. */
export async function planNews({ db, clock, config }: Pick<Context, 'db' | 'clock' | 'config'>): Promise<void> {
  const { push, mail, telegram } = config
  const has = { push: push !== undefined, email: mail !== undefined, telegram: telegram !== undefined }
  while ((await transaction(db, (tx) => planBatch(tx, clock.now(), has))) === BATCH_MAX);
}

async function planBatch(tx: Tx, now: Date, has: Record<NewsChannel, boolean>): Promise<number> {
  const { rows } = await sql<Unplanned>`
    select n.user_number, n.id, n.kind,
      (select to_jsonb(s) from news_settings s where s.user_number = n.user_number) as settings,
      (select zone from wellness_zones z where z.user_number = n.user_number order by changed_at desc limit 1) as zone,
      exists (select from news_emails e where e.user_number = n.user_number) as has_email,
      exists (select from news_chats c where c.user_number = n.user_number) as has_chat,
      array(select d.id from news_devices d join sessions s on s.id = d.session_id
        where d.user_number = n.user_number and s.ended_at is null) as devices
    from (select user_number, id, kind from news where not planned order by created_at limit ${BATCH_MAX}
      for update skip locked) n`.execute(tx)
  if (rows.length === 0) return 0
  const deliveries = rows.flatMap((row) => waysOf(row, now, has))
  if (deliveries.length > 0)
    await tx
      .insertInto('news_deliveries')
      .values(deliveries)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  await sql`update news n set planned = true
    from unnest(${rows.map(({ user_number }) => user_number)}::int[], ${rows.map(({ id }) => id)}::uuid[]) as done (user_number, id)
    where n.user_number = done.user_number and n.id = done.id`.execute(tx)
  return rows.length
}

function waysOf(row: Unplanned, now: Date, has: Record<NewsChannel, boolean>) {
  const { choices, quiet } = settingsOf(row.settings ?? undefined)
  const common = {
    user_number: row.user_number,
    news_id: row.id,
    next_at: sendTimeOf(row.kind, now, quiet, row.zone ?? undefined),
    sent_at: null,
    created_at: now,
  }
  const uses = (channel: NewsChannel) => has[channel] && isChosen(choices, row.kind, channel)
  const way = (channel: NewsChannel, device_id: DeviceId | null = null) => ({
    ...{ ...common, id: newId<'delivery'>(), channel, device_id },
  })
  return [
    ...(uses('push') ? row.devices.map((id) => way('push', id)) : []),
    ...(uses('email') && row.has_email ? [way('email')] : []),
    ...(uses('telegram') && row.has_chat ? [way('telegram')] : []),
  ]
}
