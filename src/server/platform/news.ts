import { encodeFacts, type News } from '../../protocol/news.ts'
import { newId, type Tx } from './db.ts'
import { publish } from './events.ts'

/** News for one user. `key` names the event within its kind: the same event never becomes news twice. */
export type NewNews = News & { user: number; key: string }

/**
 * Writes news in the transaction of what they tell of, so there is no event without its news and no news without its
 * event. One statement, however many there are; the worker decides later which channels get them (features/news).
 */
export async function addNews(tx: Tx, ...news: NewNews[]): Promise<void> {
  if (news.length === 0) return
  const rows = news.map((each) => ({
    user_number: each.user,
    id: newId<'news'>(),
    kind: each.kind,
    key: each.key,
    facts: JSON.stringify(encodeFacts(each)),
  }))
  await tx
    .insertInto('news')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await publish(tx, ...[...new Set(news.map(({ user }) => user))].map((user) => ({ topic: 'news', user })))
}
