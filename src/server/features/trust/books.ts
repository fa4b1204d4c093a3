import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { LEAF_KEY_BYTES } from '../../../verifier/leaf-keys.ts'
import type { VaultTree } from '../../../verifier/vault-tree.ts'
import type { Chain } from '../../chain/client.ts'
import type { Hash } from '../../chain/tables.ts'
import { systemAccount } from '../../ledger/accounts.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { buildPart, PART_LEAVES, type Part, type UserLeaf } from './tree.ts'

/** What the books say at one moment. `block` is the last one whose payments they include. */
export type Books = { parts: Part[]; ledgerTotal: bigint; paidAt: bigint; block: Hash }

/**
 * Reads all balances and builds the tree's parts. One transaction with one view of the data (repeatable read), so the
 * leaves, the ledger's own total, the booked payouts and the last block belong together. Undefined before the first
 * user, and before the watcher has read its first block.
 */
export async function readBooks(db: Db, chain: Chain, tree: VaultTree): Promise<Books | undefined> {
  // Two workers may create the same keys. In the transaction below the second would fail, so only keys of users who
  // sign up in this moment are left to it.
  await createLeafKeys(db)
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const block = await findLastBlock(tx, chain)
      if (!block) return undefined
      await createLeafKeys(tx)
      const parts: Part[] = []
      for (let after = 0; ; ) {
        const users = await readLeaves(tx, chain, after)
        if (users.length > 0) parts.push(await buildPart(tree, users))
        after = users.at(-1)?.userNumber ?? after
        if (users.length < PART_LEAVES) break
      }
      if (parts.length === 0) return undefined
      return { parts, block, ledgerTotal: await readLedgerTotal(tx), paidAt: await readPaidAt(tx, chain) }
    })
}

async function findLastBlock(tx: Tx, { settings }: Chain): Promise<Hash | undefined> {
  const { rows } = await sql<{ block_hash: Hash }>`
    select block_hash from chain_cursor where chain_id = ${settings.chainId}`.execute(tx)
  return rows[0]?.block_hash
}

const KEYS_PER_INSERT = 10_000

/** Every user that this connection sees gets a key. */
async function createLeafKeys(db: Db | Tx): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ number: number }>`
      select number from users u where not exists (select from leaf_keys where user_number = u.number)
      limit ${KEYS_PER_INSERT}`.execute(db)
    if (rows.length === 0) return
    const keys = rows.map(() => randomBytes(LEAF_KEY_BYTES))
    await sql`
      insert into leaf_keys (user_number, key)
      select * from unnest(${rows.map(({ number }) => number)}::int[], ${keys}::bytea[])
      on conflict do nothing`.execute(db)
  }
}

/** Withdrawals whose amount is still reserved. */
const OPEN_STATES = sql`('requested', 'waiting', 'signed', 'sent')`

/**
 * The next users' leaves, encoded by PostgreSQL: user id, wallet, paid, seven accounts, payouts pending, open stakes.
 * `paid` counts a payout once its withdrawal is booked as paid, because only then is it no longer pending.
 */
async function readLeaves(tx: Tx, { settings }: Chain, after: number): Promise<UserLeaf[]> {
  const { rows } = await sql<UserLeaf>`
    with page as (select number, id, wallet_address from users where number > ${after} order by number limit ${PART_LEAVES}),
    booked as (
      select v.wallet, sum(v.micro) as micro
      from page join vault_payments v on v.wallet = page.wallet_address
      where v.chain_id = ${settings.chainId} and v.vault = ${settings.vault} and exists (
        select from chain_payouts p join withdrawals w on w.id = p.reference where p.vault_id = v.id and w.state = 'paid')
      group by v.wallet),
    pending as (
      select user_number, sum(net) as micro from withdrawals where state in ${OPEN_STATES} group by user_number),
    staked as (
      select b.user_number, sum(b.stake) as micro from colour_rounds r join colour_bets b on b.round = r.number
      where r.state in ('open', 'drawn') group by b.user_number)
    select page.number as "userNumber", k.key,
      uuid_send(page.id) || decode(substr(page.wallet_address, 3), 'hex')
      || int8send(coalesce(booked.micro, 0)::bigint) || accounts.encoded
      || int8send(coalesce(pending.micro, 0)::bigint) || int8send(coalesce(staked.micro, 0)::bigint) as content
    from page join leaf_keys k on k.user_number = page.number
    cross join lateral (
      select string_agg(int8send(coalesce(a.balance, 0)), '' order by kind) as encoded
      from generate_series(0, 6) kind left join ledger_accounts a on a.id = page.number::bigint * 16 + kind) accounts
    left join booked on booked.wallet = page.wallet_address
    left join pending on pending.user_number = page.number
    left join staked on staked.user_number = page.number
    order by page.number`.execute(tx)
  return rows
}

/** What the ledger owes to users: their accounts, stakes of open rounds and withdrawals in progress. */
async function readLedgerTotal(tx: Tx): Promise<bigint> {
  const { rows } = await sql<{ total: bigint }>`
    select coalesce(sum(balance), 0)::bigint as total from ledger_accounts
    where id < ledger_custody() or id in (${systemAccount('bet_escrow')}, ${systemAccount('payout_pending')})`.execute(
    tx,
  )
  return rows[0]?.total ?? 0n
}

/**
 * The vault's `paidTotal` as far as these balances include it. Payouts that we do not know count too: they left the vault,
 * so the publication is refused if what is left does not cover the balances. A payout of a withdrawal that is still
 * pending does not count, because it is still in a leaf.
 */
async function readPaidAt(tx: Tx, { settings }: Chain): Promise<bigint> {
  const { rows } = await sql<{ paid: bigint }>`
    select coalesce(sum(v.micro), 0)::bigint as paid from vault_payments v
    where v.chain_id = ${settings.chainId} and v.vault = ${settings.vault} and not exists (
      select from chain_payouts p join withdrawals w on w.id = p.reference
      where p.vault_id = v.id and w.state in ${OPEN_STATES})`.execute(tx)
  return rows[0]?.paid ?? 0n
}
