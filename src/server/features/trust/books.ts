import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { LEAF_KEY_BYTES } from '../../../verifier/leaf-keys.ts'
import { LEAF_CONTENT_BYTES } from '../../../verifier/tree-file.ts'
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
      const open = await readOpen(tx)
      const parts: Part[] = []
      for (let after = 0; ; ) {
        const users = await readLeaves(tx, chain, open, after)
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

/** Every user that this connection sees gets a key. Deleted users have no money, no key and no leaf. */
export async function createLeafKeys(db: Db | Tx): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ number: number }>`
      select number from users u
      where deleted_at is null and not exists (select from leaf_keys where user_number = u.number)
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

/** What users have in payouts and bets that are not closed, in micro-USDT. Most users have neither. */
type Open = Map<number, { pending: bigint; staked: bigint }>

/** Read once for the whole tree: a query for each part would add up all open withdrawals and bets each time. */
async function readOpen(tx: Tx): Promise<Open> {
  const { rows } = await sql<{ number: number; pending: bigint; staked: bigint }>`
    select number, sum(pending)::bigint as pending, sum(staked)::bigint as staked from (
      select user_number as number, net as pending, 0 as staked from withdrawals where state in ${OPEN_STATES}
      union all
      select b.user_number, 0, b.stake from colour_rounds r join colour_bets b on b.round = r.number
      where r.state in ('open', 'drawn')) open
    group by number`.execute(tx)
  return new Map(rows.map(({ number, pending, staked }) => [number, { pending, staked }]))
}

/**
 * The next users' leaves, encoded by PostgreSQL: user id, wallet, paid, seven accounts. Payouts pending and open stakes
 * follow. `paid` counts a payout once its withdrawal is booked as paid, because only then is it no longer pending.
 */
async function readLeaves(tx: Tx, { settings }: Chain, open: Open, after: number): Promise<UserLeaf[]> {
  const { rows } = await sql<UserLeaf & { content: Buffer }>`
    with page as (select number, id, wallet_address from users
      where number > ${after} and deleted_at is null order by number limit ${PART_LEAVES}),
    booked as (
      select v.wallet, sum(v.micro) as micro
      from page join vault_payments v on v.wallet = page.wallet_address
      where v.chain_id = ${settings.chainId} and v.vault = ${settings.vault} and exists (
        select from chain_payouts p join withdrawals w on w.id = p.reference where p.vault_id = v.id and w.state = 'paid')
      group by v.wallet)
    select page.number as "userNumber", k.key,
      uuid_send(page.id) || decode(substr(page.wallet_address, 3), 'hex')
      || int8send(coalesce(booked.micro, 0)::bigint) || accounts.encoded || int8send(0) || int8send(0) as content
    from page join leaf_keys k on k.user_number = page.number
    cross join lateral (select ${ENCODED_ACCOUNTS} as encoded from ledger_accounts
      where id between page.number::bigint * 16 and page.number::bigint * 16 + 6) accounts
    left join booked on booked.wallet = page.wallet_address
    order by page.number`.execute(tx)
  for (const { userNumber, content } of rows) {
    const { pending = 0n, staked = 0n } = open.get(userNumber) ?? {}
    content.writeBigUInt64BE(pending, LEAF_CONTENT_BYTES - 16)
    content.writeBigUInt64BE(staked, LEAF_CONTENT_BYTES - 8)
  }
  return rows
}

/** The balances of a user's accounts, eight bytes each. An account without a row has 0. */
const ENCODED_ACCOUNTS = sql.join(
  [0, 1, 2, 3, 4, 5, 6].map(
    (kind) => sql`int8send(coalesce(max(balance) filter (where id % 16 = ${sql.lit(kind)}), 0))`,
  ),
  sql` || `,
)

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
