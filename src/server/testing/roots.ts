import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { readBooks } from '../features/trust/books.ts'
import { nextTree, storeTree } from '../features/trust/publish.ts'
import { rootOfParts } from '../features/trust/tree.ts'
import { transaction } from '../platform/db.ts'

const PUBLISHER = `0x${'9'.repeat(40)}`

/**
 * Stores the tree of all balances as if its root were final on chain, for tests without a chain. It has a signed
 * transaction in the records, so that everything else is as in production.
 */
export async function recordRoot({ db, chain }: Pick<Context, 'db' | 'chain'>): Promise<void> {
  const { chainId, vault } = chain.settings
  await sql`
    insert into chain_cursor (chain_id, block_number, block_hash) values (${chainId}, 1, ${`0x${'0'.repeat(64)}`})
    on conflict do nothing`.execute(db)
  const tree = await nextTree(db, chain, 0n)
  const books = await readBooks(db, chain, tree)
  if (!books) throw new Error('there is no user yet')
  const root = await rootOfParts(books.parts.map(({ node }) => node))
  const takenAt = BigInt(Math.floor(Date.now() / 1000))
  const publication = { epoch: tree.epoch, root: root.hash, total: root.sum, paidAt: books.paidAt, takenAt }
  await transaction(db, async (tx) => {
    await storeTree(tx, chain, books, publication)
    await sql`
      insert into vault_calls (chain_id, wallet, nonce, vault, kind, value)
      values (${chainId}, ${PUBLISHER}, ${tree.epoch}, ${vault}, 'publish', ${Buffer.from(root.hash)})`.execute(tx)
    await sql`
      update vault_calls set closed_at = now(), succeeded = true
      where (chain_id, wallet, nonce) = (${chainId}, ${PUBLISHER}, ${tree.epoch})`.execute(tx)
  })
}
