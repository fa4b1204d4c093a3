import { type Insertable, sql } from 'kysely'
import type { Pool } from 'pg'
import { accountBySource, type MoneySource, sourceByAccount } from '../../../protocol/balance.ts'
import { AppError } from '../../../protocol/errors.ts'
import type { Id } from '../../../protocol/ids.ts'
import { add, formatUsdt, parseUsdt, type Usdt } from '../../../protocol/money.ts'
import { immatureRefusal, maturedOf } from '../../../protocol/referral-maturity.ts'
import { PAGE_SIZE } from '../../../protocol/route.ts'
import { terms } from '../../../protocol/terms.ts'
import { refuseRecipient, refuseTransfer, type Transfer } from '../../../protocol/transfers.ts'
import { levelOf } from '../../../protocol/users.ts'
import type { Context, User } from '../../context.ts'
import { userAccount } from '../../ledger/accounts.ts'
import { getBalance } from '../../ledger/balances.ts'
import { post } from '../../ledger/post.ts'
import type { Posted, Posting } from '../../ledger/posting.ts'
import { batched } from '../../platform/batch.ts'
import { type Db, type Tx, transaction } from '../../platform/db.ts'
import { keyedId } from '../../platform/idempotency.ts'
import { throwIfRefused } from '../../platform/refusals.ts'
import type { Tables } from '../../platform/tables.ts'
import { readMaturity } from '../referrals/maturity.ts'

export type Order = { to: Recipient; amount: Usdt; source: MoneySource; note: string | null }

/**
 * Posts the transfer and writes its row in one database transaction: usually one shared with other transfers, and its
 * own where the amount depends on more than the balance.
 */
export async function sendTransfer(
  { db, ledger, clock }: Pick<Context, 'db' | 'ledger' | 'clock'>,
  from: User,
  { to, amount, source, note }: Order,
  key: string,
): Promise<Transfer> {
  throwIfRefused(refuseTransfer(amount, { amountMin: terms.transferMin, amountMax: terms.transferMax }), 'amount')
  const id = keyedId('transfer', from.number, key)
  const sentAt = clock.now().toISOString()
  const account = accountBySource[source]
  const row = { id, from_number: from.number, to_number: to.number, source: account, amount, note, sent_at: sentAt }
  const movement = { from: userAccount(from.number, account), to: userAccount(to.number, 'wallet'), amount }
  // Stored with the posting and returned to a repeat, so it must hold the values of the first call.
  const reply = { id, username: to.username, amount: formatUsdt(amount), source, note, sent_at: sentAt }
  const posting = { kind: 'transfer', reference: id, movements: [movement], body: note, reply } as const
  const posted =
    source === 'referral'
      ? await transaction(db, (tx) => postMatured(tx, posting, row))
      : await ledger.submit(posting, [{ table: 'transfers', values: row }])
  const done = posted.reply as typeof reply
  return {
    ...done,
    direction: 'out',
    id: id as Id<'transfer'>,
    amount: parseUsdt(done.amount),
    sent_at: new Date(done.sent_at),
  }
}

/** Posts a transfer of referral rewards. Only what has matured may leave, so an unmatured part rolls it back. */
async function postMatured(tx: Tx, posting: Posting, row: Insertable<Tables['transfers']>): Promise<Posted> {
  const posted = await post(tx, posting)
  // A repeat moves nothing: it gets the stored reply even if less has matured since.
  if (posted.repeated) return posted
  await tx.insertInto('transfers').values(row).execute()
  const left = await getBalance(tx, userAccount(row.from_number, 'referral'))
  const { immature } = await readMaturity(tx, row.from_number)
  if (left < immature) throwIfRefused(immatureRefusal(maturedOf(add(left, row.amount), { immature })), 'amount')
  return { repeated: false, reply: posting.reply ?? null }
}

export type Recipient = { number: number; username: string; level: number }
type RecipientRow = { number: number; username: string; points: bigint; is_frozen: boolean }

/** Looks up recipients by exact username. Concurrent look-ups are batched into one query. */
export function createRecipientFinder(pool: Pool) {
  const find = batched<string, RecipientRow>(async (usernames) => {
    const { rows } = await pool.query<RecipientRow>({
      name: 'recipients',
      text: 'select number, username, points, frozen_at is not null as is_frozen from users where username = any($1)',
      values: [usernames],
    })
    const byName = new Map(rows.map((row) => [row.username, row]))
    return usernames.map((username) => byName.get(username))
  })

  return async (from: User, username: string): Promise<Recipient> => {
    throwIfRefused(refuseRecipient(username, from.username), 'to_user')
    const row = await find(username)
    if (!row) throw new AppError('unknown_user', 'There is no user with this name', 'to_user')
    if (row.is_frozen) throw new AppError('user_frozen', 'This user cannot receive transfers right now', 'to_user')
    return { number: row.number, username, level: levelOf(row.points) }
  }
}

type HistoryRow = Omit<Transfer, 'source' | 'id'> & { id: string; source: 'wallet' | 'reward' | 'referral' }

export async function listTransfers(db: Db, userNumber: number, pageNo: number) {
  const reach = pageNo * PAGE_SIZE
  const { rows } = await sql<HistoryRow>`
    select t.id, t.direction, u.username, t.amount, t.source, t.note, t.sent_at
    from (
      (select *, 'out' as direction, to_number as other from transfers where from_number = ${userNumber}
       order by sent_at desc limit ${reach})
      union all
      (select *, 'in', from_number from transfers where to_number = ${userNumber} order by sent_at desc limit ${reach})
    ) t join users u on u.number = t.other
    order by t.sent_at desc, t.id desc limit ${PAGE_SIZE} offset ${reach - PAGE_SIZE}`.execute(db)
  const { rows: counts } = await sql<{ total: bigint }>`
    select (select count(*) from transfers where from_number = ${userNumber})
      + (select count(*) from transfers where to_number = ${userNumber}) as total`.execute(db)
  const data = rows.map((row) => ({ ...row, id: row.id as Id<'transfer'>, source: sourceByAccount[row.source] }))
  return { data, total: Number(counts[0]?.total ?? 0n) }
}
