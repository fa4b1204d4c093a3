import { sql } from 'kysely'
import { accountsOf, type SystemAccountKind, systemAccount, type UserAccountKind } from '../../ledger/accounts.ts'
import { getBalance } from '../../ledger/balances.ts'
import { postBulk } from '../../ledger/post.ts'
import { type Db, newId, type Tx, transaction } from '../../platform/db.ts'

const BATCH_MAX = 50_000

const parts: { part: 'reward' | 'health'; pool: SystemAccountKind; account: UserAccountKind }[] = [
  { part: 'reward', pool: 'reward_pool', account: 'reward' },
  { part: 'health', pool: 'health_pool', account: 'health' },
]

/** Pays deferred rewards, oldest first, until all are paid or the pool is empty again. */
export async function payDeferred(db: Db): Promise<void> {
  for (const part of parts) while (await transaction(db, (tx) => payBatch(tx, part)));
}

/** Returns true when the batch was full, so there may be more. */
async function payBatch(tx: Tx, { part, pool, account }: (typeof parts)[number]): Promise<boolean> {
  const reference = newId()
  const balance = await getBalance(tx, systemAccount(pool))
  const paid = await sql`
    with waiting as (
      select earned_on, user_number, lot_number, amount from reward_deferrals
      where part = ${part} and paid_by is null
      order by earned_on, user_number, lot_number limit ${BATCH_MAX} for update skip locked
    ), covered as (
      select *, sum(amount) over (order by earned_on, user_number, lot_number) as running from waiting
    )
    update reward_deferrals d set paid_by = ${reference}, paid_at = now()
    from covered c
    where running <= ${balance} and d.part = ${part}
      and (d.earned_on, d.user_number, d.lot_number) = (c.earned_on, c.user_number, c.lot_number)`.execute(tx)
  await postBulk(tx, {
    kind: 'daily_reward',
    reference,
    movements: sql`
      select ${systemAccount(pool)}::bigint, ${accountsOf(account)}, sum(amount)::bigint
      from reward_deferrals where paid_by = ${reference} group by user_number`,
  })
  return paid.numAffectedRows === BigInt(BATCH_MAX)
}
