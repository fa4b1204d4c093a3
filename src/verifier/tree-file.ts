import { fromHex, joinBytes, toHex } from './bytes.ts'
import { LEAF_MARK_BYTES, leafSecrets, xorWithPad } from './leaf-keys.ts'
import type { Sha256 } from './merkle.ts'
import { levelsFrom, NODE_BYTES, nodeAt, siblingsIn } from './vault-levels.ts'
import {
  uint64Bytes,
  VAULT_BALANCES,
  type VaultLeaf,
  type VaultNode,
  type VaultSibling,
  type VaultTree,
  vaultLeafBytes,
  vaultLeafSum,
} from './vault-tree.ts'

/**
 * The public file of one published tree: a line of JSON, then one record of fixed length for each leaf. The file proves
 * itself: the records give the root and the total, and the vault has both. A leaf's content is encrypted for its user.
 *
 * A record: 32 bytes of hash and 8 of sum (a node of the tree's first level), 16 of mark, then the encrypted content: user id
 * 16, wallet 20, paid 8, nine balances of 8.
 */
export const TREE_FORMAT = 'wellplay vault tree 1'
export const LEAF_CONTENT_BYTES = 16 + 20 + 8 + 8 * VAULT_BALANCES.length
/** Where the encrypted content begins in a record. */
export const LEAF_CONTENT_AT = NODE_BYTES + LEAF_MARK_BYTES
export const TREE_RECORD_BYTES = LEAF_CONTENT_AT + LEAF_CONTENT_BYTES
const HEADER_BYTES_MAX = 4_096

/** The figures that were published with the root. Amounts are micro-USDT, `taken_at` is in seconds. */
export type TreeHeader = {
  format: typeof TREE_FORMAT
  chain_id: number
  vault: string
  epoch: number
  users: number
  root: string
  total: string
  paid_at: string
  taken_at: number
}

export const treeHeaderBytes = (header: TreeHeader): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Array.from(`${JSON.stringify(header)}\n`, (letter) => letter.charCodeAt(0)))

/** The header, and the records after it. Throws a readable error if this is not a whole tree file. */
export function readTreeFile(file: Uint8Array): { header: TreeHeader; records: Uint8Array } {
  const end = file.subarray(0, HEADER_BYTES_MAX).indexOf(10)
  const header = end < 0 ? undefined : parseHeader(String.fromCharCode(...file.subarray(0, end)))
  if (!header) throw new Error('This is not a tree file')
  const records = file.subarray(end + 1)
  if (records.length !== header.users * TREE_RECORD_BYTES) throw new Error('The tree file is not complete')
  return { header, records }
}

function parseHeader(text: string): TreeHeader | undefined {
  try {
    const header = JSON.parse(text) as TreeHeader
    const isValid =
      header.format === TREE_FORMAT &&
      [header.chain_id, header.epoch, header.users, header.taken_at].every((value) => Number.isSafeInteger(value)) &&
      header.users > 0 &&
      /^0x[0-9a-f]{40}$/.test(header.vault) &&
      /^[0-9a-f]{64}$/.test(header.root) &&
      [header.total, header.paid_at].every((value) => /^\d{1,20}$/.test(value))
    return isValid ? header : undefined
  } catch {
    return undefined
  }
}

/** The tree's first level: the nodes of all records. */
export function leafLevel(records: Uint8Array): Uint8Array {
  const count = records.length / TREE_RECORD_BYTES
  const level = new Uint8Array(count * NODE_BYTES)
  for (let at = 0; at < count; at++) {
    const start = at * TREE_RECORD_BYTES
    level.set(records.subarray(start, start + NODE_BYTES), at * NODE_BYTES)
  }
  return level
}

/** Rebuilds the tree. Throws if its root or total is not the one in the header. */
export async function rebuildTree(file: Uint8Array, sha256: Sha256) {
  const { header, records } = readTreeFile(file)
  const levels = await levelsFrom(leafLevel(records), sha256)
  const root = nodeAt(levels.at(-1) ?? new Uint8Array(), 0)
  if (toHex(root.hash) !== header.root) throw new Error('The tree does not lead to its root')
  if (root.sum !== BigInt(header.total)) throw new Error('The leaves do not add up to the total')
  return { header, records, levels, root }
}

export type TreeProof = { tree: VaultTree; leaf: VaultLeaf; siblings: VaultSibling[]; root: VaultNode }

/** A user's leaf in a tree file and its path to the root, found with the leaf key from any proof file kept earlier. */
export async function findTreeProof(
  file: Uint8Array,
  leafKey: Uint8Array,
  sha256: Sha256,
): Promise<TreeProof | undefined> {
  const { header, records, levels, root } = await rebuildTree(file, sha256)
  const tree = { chainId: BigInt(header.chain_id), vault: fromHex(header.vault.slice(2)), epoch: BigInt(header.epoch) }
  const { mark } = await leafSecrets(leafKey, tree.epoch, sha256)
  const position = findMark(records, mark)
  if (position === undefined) return undefined
  const record = records.subarray(position * TREE_RECORD_BYTES, (position + 1) * TREE_RECORD_BYTES)
  const leaf = await openRecord(tree, record, leafKey, sha256)
  return { tree, leaf, siblings: siblingsIn(levels, position), root }
}

/** Decrypts the leaf in a record. Throws if it is not the leaf that the tree has there. */
export async function openRecord(
  tree: VaultTree,
  record: Uint8Array,
  leafKey: Uint8Array,
  sha256: Sha256,
): Promise<VaultLeaf> {
  const { hash, sum } = nodeAt(record, 0)
  const { nonce } = await leafSecrets(leafKey, tree.epoch, sha256)
  const content = await xorWithPad(record.subarray(LEAF_CONTENT_AT), leafKey, hash, sha256)
  const leaf = { ...leafOf(content), nonce }
  if (toHex(await sha256(vaultLeafBytes(tree, leaf))) !== toHex(hash) || vaultLeafSum(leaf) !== sum)
    throw new Error(
      'Your leaf does not match its hash: this copy of the tree was changed. Get a copy from another place.',
    )
  return leaf
}

function findMark(records: Uint8Array, mark: Uint8Array): number | undefined {
  for (let start = NODE_BYTES; start < records.length; start += TREE_RECORD_BYTES)
    if (mark.every((byte, at) => records[start + at] === byte)) return (start - NODE_BYTES) / TREE_RECORD_BYTES
  return undefined
}

function leafOf(content: Uint8Array): Omit<VaultLeaf, 'nonce'> {
  if (content.length !== LEAF_CONTENT_BYTES) throw new Error('a leaf has another length')
  const view = new DataView(content.buffer, content.byteOffset)
  return {
    userId: content.slice(0, 16),
    wallet: content.slice(16, 36),
    paid: view.getBigUint64(36),
    balances: VAULT_BALANCES.map((_name, at) => view.getBigUint64(44 + 8 * at)),
  }
}

export const leafContent = ({ userId, wallet, paid, balances }: Omit<VaultLeaf, 'nonce'>): Uint8Array =>
  joinBytes(userId, wallet, uint64Bytes(paid), ...balances.map(uint64Bytes))
