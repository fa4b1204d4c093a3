import { sql } from 'kysely'
import { AppError } from '../../../protocol/errors.ts'
import { fromHex } from '../../../verifier/bytes.ts'
import { openRecord, TREE_RECORD_BYTES } from '../../../verifier/tree-file.ts'
import type { VaultLeaf, VaultSibling, VaultTree } from '../../../verifier/vault-tree.ts'
import type { Db } from '../../platform/db.ts'
import { findSnapshot } from './snapshots.ts'
import type { Snapshot } from './tables.ts'
import { type Part, sha256, siblingsOf } from './tree.ts'

export type LeafProof = { leaf: VaultLeaf; siblings: VaultSibling[] }
export type Proof = LeafProof & { snapshot: Snapshot; leafKey: Buffer }

/** A user's leaf in a published snapshot, by default the latest one, and the siblings on its path to the root. */
export async function getProof(db: Db, userNumber: number, snapshotId?: string): Promise<Proof> {
  const snapshot = await findSnapshot(db, snapshotId)
  const leafKey = snapshot && (await findLeafKey(db, userNumber))
  const found = leafKey && (await findPart(db, snapshot.id, userNumber))
  if (!found) {
    if (snapshot && !(await hasParts(db, snapshot.id))) throw new AppError('not_found', ONLY_ROOT)
    throw new AppError('not_found', "You'll be in the next snapshot.")
  }
  const nodes = await readNodes(db, snapshot.id)
  return { snapshot, leafKey, ...(await proveLeaf(treeOf(snapshot), nodes, found, userNumber, leafKey)) }
}

const ONLY_ROOT =
  "We keep everyone's balances in a snapshot for two days. Of this one we only keep the root. A proof that you saved still works."

const treeOf = ({ chain_id, vault, epoch }: Snapshot): VaultTree => ({
  chainId: chain_id,
  vault: fromHex(vault.slice(2)),
  epoch,
})

/** A part of the tree with its place. */
export type PlacedPart = Pick<Part, 'userNumbers' | 'records'> & { part: number }

/** Opens a user's leaf as anybody with the leaf key and the tree file can. */
export async function proveLeaf(
  tree: VaultTree,
  nodes: Uint8Array[],
  { part, userNumbers, records }: PlacedPart,
  userNumber: number,
  leafKey: Uint8Array,
): Promise<LeafProof> {
  const position = userNumbers.indexOf(userNumber)
  if (position < 0) throw new AppError('not_found', "You'll be in the next snapshot.")
  const record = records.subarray(position * TREE_RECORD_BYTES, (position + 1) * TREE_RECORD_BYTES)
  const leaf = await openRecord(tree, record, leafKey, sha256)
  return { leaf, siblings: await siblingsOf(nodes, part, records, position) }
}

export async function findLeafKey(db: Db, userNumber: number): Promise<Buffer | undefined> {
  const row = await db.selectFrom('leaf_keys').select('key').where('user_number', '=', userNumber).executeTakeFirst()
  return row?.key
}

/** The part that the user's number falls into. It may not contain the user. */
async function findPart(db: Db, snapshotId: string, userNumber: number): Promise<PlacedPart | undefined> {
  const { rows } = await sql<PlacedPart>`
    select part, user_numbers as "userNumbers", records from liability_parts
    where snapshot_id = ${snapshotId} and user_last >= ${userNumber} order by user_last limit 1`.execute(db)
  return rows[0]
}

export async function readNodes(db: Db, snapshotId: string): Promise<Buffer[]> {
  const { rows } = await sql<{ node: Buffer }>`
    select node from liability_parts where snapshot_id = ${snapshotId} order by part`.execute(db)
  return rows.map(({ node }) => node)
}

/** False once `retention_sweep` has deleted them. A snapshot always has at least one. */
async function hasParts(db: Db, snapshotId: string): Promise<boolean> {
  const { rows } = await sql`select from liability_parts where snapshot_id = ${snapshotId} limit 1`.execute(db)
  return rows.length > 0
}
