import { createDecipheriv, createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { AppError } from '../../../protocol/errors.ts'
import { fromHex } from '../../../verifier/bytes.ts'
import { epochMessage, LEAF_MARK_BYTES, sealMessage } from '../../../verifier/leaf-keys.ts'
import { GCM_NONCE_BYTES, LEAF_CONTENT_BYTES, leafOf, TREE_RECORD_BYTES } from '../../../verifier/tree-file.ts'
import { NODE_BYTES } from '../../../verifier/vault-levels.ts'
import type { VaultLeaf, VaultSibling, VaultTree } from '../../../verifier/vault-tree.ts'
import type { Db } from '../../platform/db.ts'
import { findSnapshot } from './snapshots.ts'
import type { Snapshot } from './tables.ts'
import { type Part, siblingsOf } from './tree.ts'

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
  { epoch }: VaultTree,
  nodes: Uint8Array[],
  { part, userNumbers, records }: PlacedPart,
  userNumber: number,
  leafKey: Uint8Array,
): Promise<LeafProof> {
  const position = userNumbers.indexOf(userNumber)
  if (position < 0) throw new AppError('not_found', "You'll be in the next snapshot.")
  const record = records.subarray(position * TREE_RECORD_BYTES, (position + 1) * TREE_RECORD_BYTES)
  const sealKey = createHmac('sha256', leafKey).update(sealMessage(epoch)).digest()
  const cipher = createDecipheriv('aes-256-gcm', sealKey, record.subarray(0, GCM_NONCE_BYTES))
  const sealed = record.subarray(NODE_BYTES + LEAF_MARK_BYTES)
  cipher.setAuthTag(sealed.subarray(LEAF_CONTENT_BYTES))
  const content = Buffer.concat([cipher.update(sealed.subarray(0, LEAF_CONTENT_BYTES)), cipher.final()])
  const nonce = createHmac('sha256', leafKey).update(epochMessage(epoch)).digest().subarray(0, LEAF_MARK_BYTES)
  return { leaf: { ...leafOf(content), nonce }, siblings: await siblingsOf(nodes, part, records, position) }
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
