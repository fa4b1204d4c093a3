import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { formatUsdt, micro } from '../../../protocol/money.ts'
import { fromHex, toHex } from '../../../verifier/bytes.ts'
import { TREE_FORMAT, type TreeHeader } from '../../../verifier/tree-file.ts'
import type { VaultTree } from '../../../verifier/vault-tree.ts'
import type { Chain } from '../../chain/client.ts'
import {
  anchorCall,
  isPublishing,
  lockPublisher,
  type Publication,
  publishCall,
  readSigningTerms,
  signCall,
} from '../../chain/publisher.ts'
import { type CheckedLeaf, readEpochMax, requireAccepted } from '../../chain/publisher-check.ts'
import { readVault } from '../../chain/vault.ts'
import type { Context } from '../../context.ts'
import { recordAction } from '../../ledger/audit-log.ts'
import { type Db, newId, type Tx, transaction } from '../../platform/db.ts'
import { type Books, readBooks } from './books.ts'
import { findLeafKey, proveLeaf } from './proofs.ts'
import { hashTreeFile, rootOfParts } from './tree.ts'

/** `ops snapshot` makes this job due. */
export const ROOT_JOB = 'publish-root'

type Publisher = Pick<Context, 'db' | 'chain' | 'config' | 'log'>

/** A job of every minute. Publishes a root if one is due, so that an hour gets its root even if no worker ran for a while. */
export async function publishDueRoot(publisher: Publisher): Promise<void> {
  if (await isDue(publisher)) await publishRoot(publisher)
}

/**
 * Builds the tree of all balances and signs its publication. Tree and signed transaction are stored together, before
 * anything is sent (chain/publisher-send.ts). False if there is nothing to publish yet.
 */
export async function publishRoot({ db, chain }: Omit<Publisher, 'config' | 'log'>): Promise<boolean> {
  const last = await readVault(chain)
  // Nobody can publish now. Building a tree would only cost time.
  if (last.isPaused) return false
  const tree = await nextTree(db, chain, await readEpochMax(chain))
  const books = await readBooks(db, chain, tree)
  if (!books) return false
  const takenAt = (await chain.client.getBlock({ blockHash: books.block })).timestamp
  // No block became final since the last root, so the books have nothing new.
  if (takenAt <= last.takenAt) return false
  const root = await rootOfParts(books.parts.map(({ node }) => node))
  if (root.sum !== books.ledgerTotal)
    throw new Error(`the leaves hold ${root.sum} micro-USDT, but the ledger owes ${books.ledgerTotal}`)
  const publication = { epoch: tree.epoch, root: root.hash, total: root.sum, paidAt: books.paidAt, takenAt }
  await requireAccepted(chain, publication, await sampleLeaves(db, tree, books))
  const terms = await readSigningTerms(chain)
  return transaction(db, async (tx) => {
    await lockPublisher(tx, chain)
    // Another worker was faster.
    if (await isPublishing(tx, chain)) return false
    const fileHash = await storeTree(tx, chain, books, publication)
    await signCall(tx, chain, publishCall(publication), terms)
    await signCall(tx, chain, anchorCall('tree', fileHash), terms)
    return true
  })
}

/** After a restore the vault can be ahead of our records. An epoch that was published cannot be used again. */
export async function nextTree(db: Db, chain: Chain, published: bigint): Promise<VaultTree> {
  const { chainId, vault } = chain.settings
  const { rows } = await sql<{ epoch: bigint | null }>`
    select max(epoch) as epoch from liability_snapshots where chain_id = ${chainId} and vault = ${vault}`.execute(db)
  const stored = rows[0]?.epoch ?? 0n
  const epoch = (stored > published ? stored : published) + 1n
  return { chainId: BigInt(chainId), vault: fromHex(vault.slice(2)), epoch }
}

const SAMPLE_LEAVES = 8

/** Some leaves at random, read as their users will read them. The vault itself checks their proofs. */
async function sampleLeaves(db: Db, tree: VaultTree, { parts }: Books): Promise<CheckedLeaf[]> {
  const nodes = parts.map(({ node }) => node)
  const leaves: CheckedLeaf[] = []
  for (let taken = 0; taken < SAMPLE_LEAVES; taken++) {
    const part = randomInt(parts.length)
    const { userNumbers, records } = parts[part] ?? { userNumbers: [], records: Buffer.alloc(0) }
    const userNumber = userNumbers[randomInt(userNumbers.length)] ?? 0
    const key = await findLeafKey(db, userNumber)
    if (!key) throw new Error('a user in the tree has no leaf key')
    leaves.push(await proveLeaf(tree, nodes, { part, userNumbers, records }, userNumber, key))
  }
  return leaves
}

/** Stores the tree and records its root in the audit log. Returns the hash of the tree file. */
export async function storeTree(
  tx: Tx,
  chain: Chain,
  { parts, ledgerTotal }: Books,
  published: Publication,
): Promise<Buffer> {
  const { chainId, vault } = chain.settings
  const { epoch, root, total, paidAt, takenAt } = published
  const users = parts.reduce((sum, { userNumbers }) => sum + userNumbers.length, 0)
  const fileHash = hashTreeFile(headerOf({ chainId, vault, epoch, root, total, paidAt, takenAt, users }), parts)
  const id = newId<'snapshot'>()
  await sql`
    insert into liability_snapshots (id, taken_on, taken_at, root, total, ledger_total, users, chain_id, vault, epoch,
      paid_at, books_at, file_hash)
    values (${id}, current_date, now(), ${Buffer.from(root)}, ${total}, ${ledgerTotal}, ${users}, ${chainId}, ${vault},
      ${epoch}, ${paidAt}, to_timestamp(${Number(takenAt)}), ${fileHash})`.execute(tx)
  for (const [part, { userNumbers, node, records }] of parts.entries())
    await tx
      .insertInto('liability_parts')
      .values({
        snapshot_id: id,
        part,
        user_numbers: userNumbers,
        user_last: userNumbers.at(-1) ?? 0,
        node: Buffer.from(node),
        records,
      })
      .execute()
  const what = `liability snapshot: root ${toHex(root)}, ${formatUsdt(micro(total))} USDT owed to ${users} users`
  await recordAction(tx, { who: 'snapshot', what, why: `epoch ${epoch} of the vault ${vault}` })
  return fileHash
}

type Figures = Publication & { chainId: number; vault: string; users: number }

export const headerOf = ({ chainId, vault, epoch, users, root, total, paidAt, takenAt }: Figures): TreeHeader => ({
  format: TREE_FORMAT,
  chain_id: chainId,
  vault,
  epoch: Number(epoch),
  users,
  root: toHex(root),
  total: total.toString(),
  paid_at: paidAt.toString(),
  taken_at: Number(takenAt),
})

/** A row is dated before it commits, so one that is older than the last snapshot may be missing from it. */
const IN_FLIGHT_MS = 30_000
/** With more users than this a tree takes seconds, so changes alone are no reason for one. */
const USERS_SMALL_MAX = 1_000

/**
 * Due every hour (ROOT_EVERY_MINUTES); on the development network also in the minute after a change, so that you can try a
 * proof at once. Not while a publication is on its way.
 */
async function isDue({ db, chain, config }: Publisher): Promise<boolean> {
  if (await isPublishing(db, chain)) return false
  const { chainId, vault } = chain.settings
  const { rows } = await sql<{ is_due: boolean }>`
    with last as (
      select max(taken_at) as taken_at, max(taken_at) - make_interval(secs => ${IN_FLIGHT_MS / 1000}) as since
      from liability_published where chain_id = ${chainId} and vault = ${vault})
    select taken_at is null or taken_at < now() - make_interval(mins => ${config.rootEveryMinutes}) or (
        ${config.network === 'development'} and not exists (select from users offset ${USERS_SMALL_MAX})
        and (exists (select from users where created_at > since)
          or exists (select from wallet_changes where done_at > since)
          or exists (select from ledger_entries where posted_at > since))) as is_due
    from last`.execute(db)
  return rows[0]?.is_due === true
}
