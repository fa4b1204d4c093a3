import { createCipheriv, createHash, hash } from 'node:crypto'
import { epochMessage, LEAF_MARK_BYTES, sealMessage } from '../../../verifier/leaf-keys.ts'
import type { Sha256 } from '../../../verifier/merkle.ts'
import {
  GCM_NONCE_BYTES,
  LEAF_CONTENT_BYTES,
  leafLevel,
  TREE_RECORD_BYTES,
  type TreeHeader,
  treeHeaderBytes,
} from '../../../verifier/tree-file.ts'
import { levelsFrom, NODE_BYTES, nodeAt, siblingsIn, writeSum } from '../../../verifier/vault-levels.ts'
import {
  VAULT_BALANCES,
  type VaultNode,
  type VaultSibling,
  type VaultTree,
  vaultLeafBytes,
} from '../../../verifier/vault-tree.ts'

/** `content` is the leaf as in the tree file, before it is encrypted. */
export type UserLeaf = { userNumber: number; key: Uint8Array; content: Uint8Array }

/** A subtree of up to `PART_LEAVES` leaves: their records in the tree file, and the subtree's root as a node of 40 bytes. */
export type Part = { userNumbers: number[]; records: Buffer; node: Uint8Array }

/** A power of two, so that a part is a subtree. A proof reads one part, about 190 kB, and the nodes of the others. */
export const PART_LEAVES = 1_024

export const sha256: Sha256 = (bytes) => hash('sha256', bytes, 'buffer')

export async function buildPart(tree: VaultTree, users: UserLeaf[]): Promise<Part> {
  if (users.length === 0 || users.length > PART_LEAVES) throw new Error('a part has another number of leaves')
  const records = Buffer.alloc(users.length * TREE_RECORD_BYTES)
  const scratch = leafScratch(tree)
  users.forEach((user, at) => {
    writeRecord(records.subarray(at * TREE_RECORD_BYTES, (at + 1) * TREE_RECORD_BYTES), tree.epoch, user, scratch)
  })
  const levels = await levelsFrom(leafLevel(records), sha256)
  return { userNumbers: users.map(({ userNumber }) => userNumber), records, node: levels.at(-1) ?? new Uint8Array() }
}

const [HEAD_BYTES, OWNER_BYTES, NONCE_BYTES] = [1 + 8 + 20 + 8, 16 + 20, 16]

/** The bytes of a leaf with chain, vault and epoch in place. A test compares the rest with `vaultLeafBytes`. */
const leafScratch = (tree: VaultTree): Uint8Array<ArrayBuffer> =>
  vaultLeafBytes(tree, {
    userId: new Uint8Array(16),
    wallet: new Uint8Array(20),
    nonce: new Uint8Array(NONCE_BYTES),
    paid: 0n,
    balances: VAULT_BALANCES.map(() => 0n),
  })

/** The nonce of AES-GCM is part of the leaf's hash: the same key never encrypts two different leaves with one nonce. */
function writeRecord(record: Buffer, epoch: bigint, user: UserLeaf, leaf: Uint8Array<ArrayBuffer>): void {
  const { key, content } = user
  if (content.length !== LEAF_CONTENT_BYTES) throw new Error('a leaf has another length')
  const own = hmac(key, epochMessage(epoch))
  leaf.set(content.subarray(0, OWNER_BYTES), HEAD_BYTES)
  leaf.set(own.subarray(0, NONCE_BYTES), HEAD_BYTES + OWNER_BYTES)
  leaf.set(content.subarray(OWNER_BYTES), HEAD_BYTES + OWNER_BYTES + NONCE_BYTES)
  record.set(hash('sha256', leaf, 'buffer'))
  writeSum(record, 0, sumOf(content))
  record.set(own.subarray(NONCE_BYTES), NODE_BYTES)
  const sealKey = hmac(key, sealMessage(epoch))
  const cipher = createCipheriv('aes-256-gcm', sealKey, record.subarray(0, GCM_NONCE_BYTES))
  record.set(cipher.update(content), NODE_BYTES + LEAF_MARK_BYTES)
  cipher.final()
  record.set(cipher.getAuthTag(), NODE_BYTES + LEAF_MARK_BYTES + LEAF_CONTENT_BYTES)
}

/** HMAC-SHA-256 with one-shot hashes: `createHmac` makes a key object each time, which takes six times as long. */
function hmac(key: Uint8Array, message: Uint8Array): Buffer {
  const [inner, outer] = [Buffer.alloc(64 + message.length, 0x36), Buffer.alloc(64 + 32, 0x5c)]
  for (let at = 0; at < key.length; at++) {
    inner[at] = (key[at] ?? 0) ^ 0x36
    outer[at] = (key[at] ?? 0) ^ 0x5c
  }
  inner.set(message, 64)
  outer.set(hash('sha256', inner, 'buffer'), 64)
  return hash('sha256', outer, 'buffer')
}

function sumOf(content: Uint8Array): bigint {
  const view = new DataView(content.buffer, content.byteOffset)
  let sum = 0n
  for (let at = LEAF_CONTENT_BYTES - 8 * VAULT_BALANCES.length; at < LEAF_CONTENT_BYTES; at += 8)
    sum += view.getBigUint64(at)
  return sum
}

/** The levels above the parts, from their roots to the root of the whole tree. */
const levelsAbove = (nodes: Uint8Array[]): Promise<Uint8Array[]> => levelsFrom(Buffer.concat(nodes), sha256)

export async function rootOfParts(nodes: Uint8Array[]): Promise<VaultNode> {
  const [top] = (await levelsAbove(nodes)).slice(-1)
  if (!top || top.length !== NODE_BYTES) throw new Error('the tree has no root')
  return nodeAt(top, 0)
}

/** The siblings of a leaf: first inside its part, then those of the part. */
export async function siblingsOf(
  nodes: Uint8Array[],
  part: number,
  records: Uint8Array,
  position: number,
): Promise<VaultSibling[]> {
  const inside = await levelsFrom(leafLevel(records), sha256)
  return [...siblingsIn(inside, position), ...siblingsIn(await levelsAbove(nodes), part)]
}

export function hashTreeFile(header: TreeHeader, parts: Pick<Part, 'records'>[]): Buffer {
  const digest = createHash('sha256').update(treeHeaderBytes(header))
  for (const { records } of parts) digest.update(records)
  return digest.digest()
}
