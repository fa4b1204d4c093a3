import type { Insertable } from 'kysely'
import type { Pool } from 'pg'
import { accountBySource, type MoneySource } from '../../../protocol/balance.ts'
import { AppError } from '../../../protocol/errors.ts'
import type { Id } from '../../../protocol/ids.ts'
import { add, formatUsdt, parseUsdt, type Usdt } from '../../../protocol/money.ts'
import { immatureRefusal, maturedOf } from '../../../protocol/referral-maturity.ts'
import type { Terms } from '../../../protocol/terms.ts'
import { refuseRecipient, refuseTransfer, type Transfer } from '../../../protocol/transfers.ts'
import { levelOf } from '../../../protocol/users.ts'
import type { Context, User } from '../../context.ts'
import { userAccount } from '../../ledger/accounts.ts'
import { getBalance } from '../../ledger/balances.ts'
import { post } from '../../ledger/post.ts'
import type { Posted, Posting } from '../../ledger/posting.ts'
import { batched } from '../../platform/batch.ts'
import { CLOSED_ACCOUNT, type Tx, transaction, violatedConstraint } from '../../platform/db.ts'
import { keyedId } from '../../platform/idempotency.ts'
import { throwIfRefused } from '../../platform/refusals.ts'
import type { Tables } from '../../platform/tables.ts'
import { termsOf } from '../../platform/terms.ts'
import { readMaturity } from '../referrals/maturity.ts'

type Proof = { nonce: string; deadline: Date; signature: string }
export type Order = {
  to: Recipient
  amount: Usdt
  source: MoneySource
  note: string | null
  /** The wallet's signature. Without it only the allowance can be sent. */
  proof: Proof | undefined
}

/** The idempotency key as the id of the transfer. */
export const transferId = (from: User, key: string): string => keyedId('transfer', from.number, key)

/**
 * Posts the transfer and writes its row in one database transaction: usually one shared with other transfers, and its
 * own where the amount depends on more than the balance.
 */
export async function sendTransfer(
  { db, ledger, clock }: Pick<Context, 'db' | 'ledger' | 'clock'>,
  from: User,
  { to, amount, source, note, proof }: Order,
  key: string,
): Promise<Transfer> {
  const { transferMin, transferMax } = to.terms
  throwIfRefused(refuseTransfer(amount, { amountMin: transferMin, amountMax: transferMax }), 'amount')
  const id = transferId(from, key)
  const sentAt = clock.now().toISOString()
  const account = accountBySource[source]
  const row = {
    ...{ id, from_number: from.number, to_number: to.number, source: account, amount, note, sent_at: sentAt },
    nonce: proof?.nonce ?? null,
    deadline: proof?.deadline.toISOString() ?? null,
    signature: proof?.signature ?? null,
  }
  const movement = { from: userAccount(from.number, account), to: userAccount(to.number, 'wallet'), amount }
  // Stored with the posting and returned to a repeat, so it must hold the values of the first call.
  const reply = { id, username: to.username, amount: formatUsdt(amount), source, note, sent_at: sentAt }
  const posting = { kind: 'transfer', reference: id, movements: [movement], body: note, reply } as const
  const posted = await (source === 'referral'
    ? transaction(db, (tx) => postMatured(tx, posting, row, to.terms))
    : ledger.submit(posting, [{ table: 'transfers', values: row }])
  ).catch(refuseSignature)
  const done = posted.reply as typeof reply
  return {
    ...done,
    direction: 'out',
    id: id as Id<'transfer'>,
    amount: parseUsdt(done.amount),
    sent_at: new Date(done.sent_at),
  }
}

export const signatureRequired = () =>
  new AppError('signature_required', 'Sign this transfer with your wallet', 'signature')

const unknownUser = () => new AppError('unknown_user', 'There is no user with this name', 'to_user')

/** Concurrent transfers can pass the handler's check together. The database decides, under its locks. */
function refuseSignature(error: unknown): never {
  const { constraint } = error as { constraint?: string }
  if (constraint === 'transfers_need_signature') throw signatureRequired()
  // The recipient was deleted since they were looked up. An empty account of the sender is refused as overdrawn.
  if (constraint === CLOSED_ACCOUNT) throw unknownUser()
  if (violatedConstraint(error) === 'transfers_nonce')
    throw new AppError('signature_refused', 'This signature was already used. Sign again.', 'signature')
  throw error
}

/** Posts a transfer of referral rewards. Only what has matured may leave, so an unmatured part rolls it back. */
async function postMatured(
  tx: Tx,
  posting: Posting,
  row: Insertable<Tables['transfers']>,
  { referralMatureDays: days }: Terms,
): Promise<Posted> {
  const posted = await post(tx, posting)
  // A repeat moves nothing: it gets the stored reply even if less has matured since.
  if (posted.repeated) return posted
  await tx.insertInto('transfers').values(row).execute()
  const left = await getBalance(tx, userAccount(row.from_number, 'referral'))
  const { immature } = await readMaturity(tx, row.from_number)
  const matured = { amount: maturedOf(add(left, row.amount), { immature }), days }
  if (left < immature) throwIfRefused(immatureRefusal(matured), 'amount')
  return { repeated: false, reply: posting.reply ?? null }
}

export type Recipient = {
  number: number
  username: string
  level: number
  isKnown: boolean
  sentToday: Usdt
  /** Those in force when the recipient was looked up, which every transfer does first. */
  terms: Terms
}
type RecipientRow = {
  number: number
  points: bigint
  is_frozen: boolean
  /** Whether the sender has sent a signed transfer to this user before. */
  is_known: boolean
  /** What the sender sent to anyone without a signature since midnight UTC. */
  sent_today: Usdt
  terms: Terms
}

/** Looks up recipients by exact username. Concurrent look-ups are batched into one query. */
export function createRecipientFinder(pool: Pool) {
  const find = batched<{ from: number; username: string }, RecipientRow>(
    async (asked) => {
      const { rows } = await pool.query<Omit<RecipientRow, 'terms'> & { place: bigint; terms: string | null }>({
        name: 'recipients',
        text: `
        select asked.place, u.number, u.points, u.frozen_at is not null as is_frozen,
          exists (select from transfers t where t.from_number = asked.sender and t.to_number = u.number
            and (t.signature is not null or t.predates_signatures)) as is_known,
          coalesce((select amount from transfer_allowances a
            where a.from_number = asked.sender and a.day = (now() at time zone 'UTC')::date), 0)::bigint as sent_today,
          case when row_number() over () = 1 then terms_at(now())::text end as terms
        from unnest($1::int[], $2::text[]) with ordinality as asked (sender, username, place)
          join users u on u.username = asked.username and u.deleted_at is null`,
        values: [asked.map(({ from }) => from), asked.map(({ username }) => username)],
      })
      // One row has the terms for all, because they are longer than everything else.
      const text = rows.find(({ terms }) => terms !== null)?.terms
      const byPlace = new Map(rows.map((row) => [Number(row.place), { ...row, terms: termsOf(text ?? undefined) }]))
      return asked.map((_, at) => byPlace.get(at + 1))
    },
    { name: 'recipients' },
  )

  return async (from: User, username: string): Promise<Recipient> => {
    throwIfRefused(refuseRecipient(username, from.username), 'to_user')
    const row = await find({ from: from.number, username })
    if (!row) throw unknownUser()
    if (row.is_frozen) throw new AppError('user_frozen', 'This user cannot receive transfers right now', 'to_user')
    return {
      number: row.number,
      username,
      level: levelOf(row.points),
      isKnown: row.is_known,
      sentToday: row.sent_today,
      terms: row.terms,
    }
  }
}
