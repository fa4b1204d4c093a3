import { AppError } from '../../../protocol/errors.ts'
import type { Id } from '../../../protocol/ids.ts'
import { decodeFacts, type NewsItem, UNREAD_MAX } from '../../../protocol/news.ts'
import { newsWords } from '../../../protocol/news-words.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { publish } from '../../platform/events.ts'
import { readZone } from '../wellness/queries.ts'

const PAGE_ROWS = 20

/** A page of the inbox, newest first, from the key of the last row on: a late page costs what the first one does. */
export async function listNews(db: Db, userNumber: number, before: Id<'news'> | undefined) {
  const zone = await readZone(db, userNumber)
  const rows = await db
    .selectFrom('news')
    .select(['id', 'kind', 'facts', 'created_at', 'read_at'])
    .where('user_number', '=', userNumber)
    .$if(before !== undefined, (query) => query.where('id', '<', before as Id<'news'>))
    .orderBy('id', 'desc')
    .limit(PAGE_ROWS + 1)
    .execute()
  const data = rows.slice(0, PAGE_ROWS).map(
    ({ id, kind, facts, created_at, read_at }): NewsItem => ({
      ...{ id, kind, created_at, is_read: read_at !== null },
      ...newsWords(decodeFacts(kind, facts), zone),
    }),
  )
  return { data, has_more: rows.length > PAGE_ROWS, unread: await countUnread(db, userNumber) }
}

/** Counts up to a limit, because the bell shows no more. */
export async function countUnread(db: Db | Tx, userNumber: number): Promise<number> {
  const rows = await db
    .selectFrom('news')
    .select('id')
    .where('user_number', '=', userNumber)
    .where('read_at', 'is', null)
    .limit(UNREAD_MAX)
    .execute()
  return rows.length
}

export async function markRead(tx: Tx, userNumber: number, id: Id<'news'>, now: Date): Promise<number> {
  const found = await tx
    .selectFrom('news')
    .select('read_at')
    .where('user_number', '=', userNumber)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) throw new AppError('not_found', 'There is no such news')
  if (found.read_at === null) await mark(tx, userNumber, now, { only: id })
  return countUnread(tx, userNumber)
}

/** Not those that came after the page was read: the user has not seen them. */
export async function markAllRead(tx: Tx, userNumber: number, upTo: Id<'news'>, now: Date): Promise<number> {
  await mark(tx, userNumber, now, { upTo })
  return countUnread(tx, userNumber)
}

async function mark(tx: Tx, userNumber: number, now: Date, which: { only: Id<'news'> } | { upTo: Id<'news'> }) {
  const unread = tx
    .updateTable('news')
    .set({ read_at: now })
    .where('user_number', '=', userNumber)
    .where('read_at', 'is', null)
  await ('only' in which ? unread.where('id', '=', which.only) : unread.where('id', '<=', which.upTo)).execute()
  // Other open pages of the user count again.
  await publish(tx, { topic: 'news', user: userNumber })
}
