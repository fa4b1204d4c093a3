/**
 * The ledger's writers. How to move money:
 *
 *   const posting = {
 *     kind: 'transfer',                 // a kind in rules.ts; code and database check what it may move
 *     reference: transfer.id,           // the UUID of the cause: (kind, reference) is the idempotency key
 *     movements: [{ from: userAccount(1, 'wallet'), to: userAccount(2, 'wallet'), amount }],
 *     body: input,                      // optional: what a repeat must match, besides the movements
 *     reply: { … },                     // optional: stored with the posting and returned to a repeat
 *   }
 *   await post(tx, posting)                    // in your own transaction, with its other writes
 *   await ledger.submit(posting)               // in a transaction shared with other postings: by far the fastest
 *   await ledger.submit(posting, [{ table: 'transfers', values: { … } }])   // with rows in the same commit
 *   await postGroup(tx, [{ posting, rows }])   // many postings with their rows in your own transaction
 *   await postBulk(tx, { kind, reference, movements: sql`select … as source, … as target, … as amount` })
 *
 * Each returns { repeated, reply }, or throws AppError insufficient_balance or idempotency_mismatch. After an AppError
 * nothing is written, and your transaction can continue. To check a limit or a cap together with a posting, call
 * `lockAccounts` first. A transaction with several postings must lock the accounts of all of them first, in one call. To
 * read balances and statements, use balances.ts and statement.ts.
 */
import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Usdt } from '../../protocol/money.ts'
import type { Tx } from '../platform/db.ts'
import type { AccountId } from './accounts.ts'
import { queryOf, type Request } from './batch.ts'
import { type Answer, arrayOf, callOf, checkRules, type Posted, type Posting, settle } from './posting.ts'
import type { PostingKind } from './rules.ts'

/** Moves money inside the caller's transaction. */
export async function post(tx: Tx, posting: Posting): Promise<Posted> {
  checkRules(posting)
  const { call, values } = callOf(posting)
  const query = CompiledQuery.raw(`select outcome, answer from ${call}`, values) as CompiledQuery<Answer>
  const { rows } = await tx.executeQuery(query)
  return settle(rows[0])
}

/** Posts a group inside the caller's transaction, in order, and writes the rows of each. Any refusal fails the group. */
export async function postGroup(tx: Tx, requests: readonly Request[]): Promise<void> {
  for (const { posting } of requests) checkRules(posting)
  const { text, values } = queryOf(requests, false)
  const { rows } = await tx.executeQuery(CompiledQuery.raw(text, values ?? []) as CompiledQuery<Answer>)
  for (const answer of rows) settle(answer)
}

/** Movements selected by a query, so they never leave the database. */
export type BulkPosting = { kind: PostingKind; reference: string; movements: RawBuilder<unknown> }

/** Posts all movements of a query (source, target, amount) as one posting. Without rows, nothing is posted. */
export async function postBulk(tx: Tx, { kind, reference, movements }: BulkPosting): Promise<Posted> {
  const { rows } = await sql<Answer>`
    select result.outcome, result.answer
    from (
      select array_agg(source) as sources, array_agg(target) as targets, array_agg(amount) as amounts
      from (${movements}) as movement (source, target, amount)
    ) as movements, ledger_post(${kind}, ${reference}, null, null, sources, targets, amounts) as result
    where sources is not null`.execute(tx)
  return rows[0] ? settle(rows[0]) : { repeated: false, reply: null }
}

/** Locks accounts in id order until the transaction ends, and returns their balances. */
export async function lockAccounts(tx: Tx, accounts: readonly AccountId[]): Promise<Map<AccountId, Usdt>> {
  const { rows } = await sql<{ id: AccountId; balance: Usdt }>`
    select id, balance from ledger_lock(${arrayOf(accounts)})`.execute(tx)
  return new Map(rows.map(({ id, balance }) => [id, balance]))
}

export async function openUserAccounts(tx: Tx, userNumber: number): Promise<void> {
  await sql`select ledger_open_accounts(${userNumber})`.execute(tx)
}
