import { sql } from 'kysely'
import type { Id } from '../../../protocol/ids.ts'
import { decodeFacts, type NewsKind } from '../../../protocol/news.ts'
import { isChosen, type NewsChannel } from '../../../protocol/news-choices.ts'
import { type NewsWords, newsWords } from '../../../protocol/news-words.ts'
import { DAY_MS } from '../../../protocol/time.ts'
import type { Context } from '../../context.ts'
import { type Db, transaction } from '../../platform/db.ts'
import { removeChat } from './chats.ts'
import { type StoredSettings, settingsOf } from './settings.ts'
import type { DeliveryId, DeviceId } from './tables.ts'

/** `gone`: the receiver no longer exists. `refused`: this message will never be accepted. An error: try again later. */
export type Outcome = 'sent' | 'gone' | 'refused'

export type Message = NewsWords & { id: Id<'news'> }
type Device = { endpoint: string; p256dh: string; auth: string }
type Mailbox = { address: string; stop_key: string }
type Receiver = { device: Device | null; mailbox: Mailbox | null; chat: string | null }

/** Sends one message, within a time limit of its own: the channel sends nothing else meanwhile. */
export type Send = (message: Message, to: Receiver) => Promise<Outcome>

/** Sent at the same time on one channel. */
const BATCH_MAX = 20
/** A claimed row is free again after this time, if its worker died. Longer than any sender takes. */
export const LEASE_MS = 60_000
const RETRY_MS_MIN = 5_000
const RETRY_MS_MAX = 300_000
const GIVE_UP_MS = 3 * DAY_MS

export const retryMs = (attempts: number): number => Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** (attempts - 1))

type Claimed = {
  id: DeliveryId
  news_id: Id<'news'>
  kind: NewsKind
  facts: unknown
  attempts: number
  created_at: Date
  zone: string | null
  settings: StoredSettings | null
  device_id: DeviceId | null
  device: Device | null
  mailbox: Mailbox | null
  chat: string | null
}

type Delivering = Pick<Context, 'db' | 'clock' | 'log'>

/**
 * Sends what is due on one channel. A row is claimed before it is sent, so that two workers do not send it twice; no lock
 * and no transaction is held while sending. If a worker dies between sending and storing that, the message is sent again
 * after the lease: receivers recognise it by the id of the news (push.ts, mail.ts).
 */
export async function deliverDue(context: Delivering, channel: NewsChannel, send: Send): Promise<void> {
  for (;;) {
    const claimed = await claim(context.db, channel, context.clock.now())
    await Promise.all(claimed.map((row) => deliver(context, channel, row, send)))
    if (claimed.length < BATCH_MAX) return
  }
}

async function claim(db: Db, channel: NewsChannel, now: Date): Promise<Claimed[]> {
  const { rows } = await transaction(db, (tx) =>
    sql<Claimed>`
      with claimed as (
        update news_deliveries set attempts = attempts + 1, next_at = ${new Date(now.getTime() + LEASE_MS)}
        where id = any (array(select id from news_deliveries where channel = ${channel} and next_at <= ${now}
          order by next_at limit ${BATCH_MAX} for update skip locked))
        returning *)
      select c.id, c.news_id, n.kind, n.facts, c.attempts, c.created_at, c.device_id,
        (select zone from wellness_zones z where z.user_number = c.user_number order by changed_at desc limit 1) as zone,
        (select to_jsonb(s) from news_settings s where s.user_number = c.user_number) as settings,
        (select to_jsonb(d) from news_devices d join sessions s on s.id = d.session_id
          where d.id = c.device_id and d.user_number = c.user_number and s.ended_at is null) as device,
        (select to_jsonb(e) from news_emails e where e.user_number = c.user_number) as mailbox,
        (select chat_id::text from news_chats h where h.user_number = c.user_number) as chat
      from claimed c join news n on n.user_number = c.user_number and n.id = c.news_id`.execute(tx),
  )
  return rows
}

async function deliver({ db, clock, log }: Delivering, channel: NewsChannel, row: Claimed, send: Send): Promise<void> {
  // The user may have changed their mind since the news were planned.
  const isWanted =
    isChosen(settingsOf(row.settings ?? undefined).choices, row.kind, channel) &&
    { push: row.device, email: row.mailbox, telegram: row.chat }[channel] !== null
  if (!isWanted) return finish(db, row, { next_at: null })
  const words = newsWords(decodeFacts(row.kind, row.facts), row.zone ?? undefined)
  try {
    const outcome = await send({ ...words, id: row.news_id }, row)
    if (outcome === 'gone' && row.device_id) return await forget(db, row.device_id)
    if (outcome === 'gone' && channel === 'telegram') await removeChat(db, { chat: Number(row.chat) })
    await finish(db, row, { next_at: null, ...(outcome === 'sent' && { sent_at: clock.now() }) })
  } catch (error) {
    const now = clock.now().getTime()
    const isOver = now - row.created_at.getTime() > GIVE_UP_MS
    log.warn({ channel, news: row.news_id, attempts: row.attempts, isOver, err: error }, 'news could not be sent')
    await finish(db, row, { next_at: isOver ? null : new Date(now + retryMs(row.attempts)) })
  }
}

const finish = async (db: Db, { id }: Claimed, change: { next_at: Date | null; sent_at?: Date }): Promise<void> => {
  await db.updateTable('news_deliveries').set(change).where('id', '=', id).execute()
}

/** The browser has unsubscribed. Its other messages are deleted with it. */
const forget = async (db: Db, id: DeviceId): Promise<void> => {
  await db.deleteFrom('news_devices').where('id', '=', id).execute()
}
