import type { NewsKind } from '../../protocol/news.ts'
import type { Db } from '../platform/db.ts'

/** The kinds of a user's news, oldest first. */
export async function newsOf(db: Db, { number }: { number: number }): Promise<NewsKind[]> {
  const rows = await db
    .selectFrom('news')
    .select('kind')
    .where('user_number', '=', number)
    .orderBy('created_at')
    .execute()
  return rows.map(({ kind }) => kind)
}
