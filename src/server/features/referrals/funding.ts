import { type RawBuilder, sql } from 'kysely'
import type { Address } from '../../../protocol/ids.ts'
import { listSenders } from '../../chain/senders.ts'
import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../platform/db.ts'

/** How many blocks before a payment are searched for the wallet's funding: a few hours, and one query to the node. */
const BLOCKS_BACK = 5_000n
const WALLETS_PER_RUN = 200

type Wallet = { user_number: number; wallet_address: Address; block_number: bigint; checked: bigint | null }

/** Finds who funded the wallets that paid us since the last run. Sends one query per wallet to the node. */
export async function lookUpFunding({ db, chain }: Pick<Context, 'db' | 'chain'>): Promise<void> {
  const { rows } = await sql<Wallet>`
    select paid.user_number, paid.wallet_address, paid.block_number, c.block_number as checked
    from (
      select from_address as wallet_address, max(block_number) as block_number,
        (select user_number from user_wallets w where w.wallet_address = t.from_address) as user_number
      from chain_payments t where direction = 'in' and recorded_at > now() - interval '1 day'
      group by from_address) paid
      left join funding_checks c on c.user_number = paid.user_number
    where paid.user_number is not null and coalesce(c.block_number < paid.block_number, true)
    -- Of a user's wallets, the one with the latest payment is checked last: its block is the one to keep.
    order by paid.block_number
    limit ${WALLETS_PER_RUN}`.execute(db)
  for (const { user_number, wallet_address, block_number: to, checked } of rows) {
    const from = [to - BLOCKS_BACK, (checked ?? -1n) + 1n, 0n].reduce((a, b) => (a > b ? a : b))
    const senders = await listSenders(chain, wallet_address, { from, to })
    await transaction(db, (tx) => recordFunding(tx, user_number, senders, to))
  }
}

async function recordFunding(tx: Tx, userNumber: number, senders: Address[], block: bigint): Promise<void> {
  await sql`
    insert into funding_sources (user_number, from_address) select ${userNumber}, unnest(${senders}::text[])
    on conflict do nothing`.execute(tx)
  await sql`
    insert into funding_checks (user_number, block_number) values (${userNumber}, ${block})
    on conflict (user_number) do update set block_number = excluded.block_number`.execute(tx)
}

/** Records who funded whose wallet, from a query of `user_number` and `from_address`. */
export async function recordFundings(tx: Tx, fundings: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into funding_sources (user_number, from_address)
    select distinct user_number, from_address from (${fundings}) funding
    on conflict do nothing`.execute(tx)
}
