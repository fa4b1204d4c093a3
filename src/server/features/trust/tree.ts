import { createHash, hash } from 'node:crypto'
import {
  epochMessage,
  LEAF_KEY_BYTES,
  PAD_BLOCK_BYTES,
  PAD_HASH_AT,
  PAD_KEY_AT,
  padMessage,
} from '../../../verifier/leaf-keys.ts'
import type { Sha256 } from '../../../verifier/merkle.ts'
import {
  LEAF_CONTENT_AT,
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

/** A power of two, so that a part is a subtree. A proof reads one part, about 180 kB, and the nodes of the others. */
export const PART_LEAVES = 1_024

export const sha256: Sha256 = (bytes) => Buffer.from(hash('sha256', bytes, 'binary'), 'latin1')

/** `hash` makes a string in half the time that it takes to make a buffer. A string in latin1 has the same bytes. */
const writeHash = (target: Buffer, at: number, bytes: Uint8Array): void => {
  target.write(hash('sha256', bytes, 'binary'), at, 'latin1')
}

export async function buildPart(tree: VaultTree, users: UserLeaf[]): Promise<Part> {
  if (users.length === 0 || users.length > PART_LEAVES) throw new Error('a part has another number of leaves')
  const records = Buffer.alloc(users.length * TREE_RECORD_BYTES)
  const writeRecord = createRecordWriter(tree)
  users.forEach((user, at) => {
    writeRecord(records.subarray(at * TREE_RECORD_BYTES, (at + 1) * TREE_RECORD_BYTES), user)
  })
  const levels = await levelsFrom(leafLevel(records), sha256)
  return { userNumbers: users.map(({ userNumber }) => userNumber), records, node: levels.at(-1) ?? new Uint8Array() }
}

const [HEAD_BYTES, OWNER_BYTES, NONCE_BYTES] = [1 + 8 + 20 + 8, 16 + 20, 16]

/**
 * Writes records of one tree. It hashes the bytes that `leafSecrets`, `vaultLeafBytes` and `xorWithPad` in the verifier hash
 * (tests compare them), but reuses the same buffers for all users, which takes a third of the time.
 */
function createRecordWriter(tree: VaultTree): (record: Buffer, user: UserLeaf) => void {
  const own = createEpochHmac(tree.epoch)
  const leaf = emptyLeaf(tree)
  const message = padMessage(new Uint8Array(LEAF_KEY_BYTES), new Uint8Array(PAD_BLOCK_BYTES))
  const pad = Buffer.alloc(Math.ceil(LEAF_CONTENT_BYTES / PAD_BLOCK_BYTES) * PAD_BLOCK_BYTES)
  return (record, { key, content }) => {
    if (content.length !== LEAF_CONTENT_BYTES || key.length !== LEAF_KEY_BYTES)
      throw new Error('a leaf or its key has another length')
    const secrets = own(key)
    leaf.set(content.subarray(0, OWNER_BYTES), HEAD_BYTES)
    leaf.set(secrets.subarray(0, NONCE_BYTES), HEAD_BYTES + OWNER_BYTES)
    leaf.set(content.subarray(OWNER_BYTES), HEAD_BYTES + OWNER_BYTES + NONCE_BYTES)
    writeHash(record, 0, leaf)
    writeSum(record, 0, sumOf(content))
    record.set(secrets.subarray(NONCE_BYTES), NODE_BYTES)
    message.set(key, PAD_KEY_AT)
    message.set(record.subarray(0, PAD_BLOCK_BYTES), PAD_HASH_AT)
    for (let start = 0; start < LEAF_CONTENT_BYTES; start += PAD_BLOCK_BYTES) {
      message[PAD_KEY_AT - 1] = start / PAD_BLOCK_BYTES + 1
      writeHash(pad, start, message)
    }
    for (let at = 0; at < LEAF_CONTENT_BYTES; at++) record[LEAF_CONTENT_AT + at] = (content[at] ?? 0) ^ (pad[at] ?? 0)
  }
}

/** The bytes of a leaf with chain, vault and epoch in place. */
const emptyLeaf = (tree: VaultTree): Uint8Array<ArrayBuffer> =>
  vaultLeafBytes(tree, {
    userId: new Uint8Array(16),
    wallet: new Uint8Array(20),
    nonce: new Uint8Array(NONCE_BYTES),
    paid: 0n,
    balances: VAULT_BALANCES.map(() => 0n),
  })

/** HMAC-SHA-256 of the epoch with any key. The result is valid until the next call. */
function createEpochHmac(epoch: bigint): (key: Uint8Array) => Buffer {
  const message = epochMessage(epoch)
  const inner = Buffer.alloc(64 + message.length, 0x36)
  const outer = Buffer.alloc(64 + 32, 0x5c)
  const result = Buffer.alloc(32)
  inner.set(message, 64)
  return (key) => {
    for (let at = 0; at < LEAF_KEY_BYTES; at++) {
      inner[at] = (key[at] ?? 0) ^ 0x36
      outer[at] = (key[at] ?? 0) ^ 0x5c
    }
    writeHash(outer, 64, inner)
    writeHash(result, 0, outer)
    return result
  }
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
