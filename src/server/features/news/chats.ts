import { hash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db.ts'

const CODE_MINUTES = 15
const MINUTE_MS = 60_000

const hashOf = (code: string): Buffer => hash('sha256', code, 'buffer')

/** A one-time code for the link to the bot. Whoever opens the link first gets the user's news, so it works briefly. */
export async function makeChatCode(tx: Tx, userNumber: number, now: Date): Promise<string> {
  const code = randomBytes(16).toString('base64url')
  await tx
    .insertInto('news_chat_codes')
    .values({ code_hash: hashOf(code), user_number: userNumber, asked_at: now, used_at: null })
    .execute()
  return code
}

/** Connects the chat that a code came from. `known`: the same chat has used it before, in an update that was read twice. */
export async function addChat(tx: Tx, code: string, chat: number, now: Date): Promise<'added' | 'known' | 'refused'> {
  const since = new Date(now.getTime() - CODE_MINUTES * MINUTE_MS)
  const used = await tx
    .updateTable('news_chat_codes')
    .set({ used_at: now })
    .where('code_hash', '=', hashOf(code))
    .where('asked_at', '>', since)
    .where('used_at', 'is', null)
    .returning('user_number')
    .executeTakeFirst()
  if (!used) {
    const { rows } = await sql`select from news_chats c join news_chat_codes k using (user_number)
      where k.code_hash = ${hashOf(code)} and c.chat_id = ${chat}`.execute(tx)
    return rows.length > 0 ? 'known' : 'refused'
  }
  const values = { chat_id: String(chat), added_at: now }
  await tx
    .insertInto('news_chats')
    .values({ user_number: used.user_number, ...values })
    .onConflict((conflict) => conflict.column('user_number').doUpdateSet(values))
    .execute()
  return 'added'
}

/** Ends the messages of one user, or of all users of a chat. */
export const removeChat = (tx: Db | Tx, which: { userNumber: number } | { chat: number }) =>
  ('chat' in which
    ? tx.deleteFrom('news_chats').where('chat_id', '=', String(which.chat))
    : tx.deleteFrom('news_chats').where('user_number', '=', which.userNumber)
  ).execute()

export const hasChat = async (db: Db, userNumber: number): Promise<boolean> =>
  (await db.selectFrom('news_chats').select('added_at').where('user_number', '=', userNumber).executeTakeFirst()) !==
  undefined
