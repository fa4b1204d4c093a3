import {
  choicesOf,
  defaultQuietHours,
  type NewsChoices,
  type QuietHours,
  type StoredChoices,
} from '../../../protocol/news-choices.ts'
import type { Db, Tx } from '../../platform/db.ts'

/** What a user chose; without a row, the defaults. */
export const settingsOf = (row: StoredSettings | undefined): { choices: NewsChoices; quiet: QuietHours | null } => ({
  choices: choicesOf(row?.choices),
  quiet: row ? quietOf(row) : defaultQuietHours,
})

export type StoredSettings = {
  choices: StoredChoices
  quiet_from: string | null
  quiet_until: string | null
}

const quietOf = ({ quiet_from: from, quiet_until: until }: StoredSettings): QuietHours | null =>
  from === null || until === null ? null : { from, until }

export async function readSettings(db: Db | Tx, userNumber: number) {
  const row = await db
    .selectFrom('news_settings')
    .select(['choices', 'quiet_from', 'quiet_until'])
    .where('user_number', '=', userNumber)
    .executeTakeFirst()
  return settingsOf(row)
}

export async function storeSettings(
  tx: Tx,
  userNumber: number,
  { choices, quiet }: { choices: NewsChoices; quiet: QuietHours | null },
): Promise<void> {
  const values = { choices, quiet_from: quiet?.from ?? null, quiet_until: quiet?.until ?? null }
  await tx
    .insertInto('news_settings')
    .values({ user_number: userNumber, ...values })
    .onConflict((conflict) => conflict.column('user_number').doUpdateSet(values))
    .execute()
}
