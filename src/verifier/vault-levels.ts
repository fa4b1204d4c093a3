import type { Sha256 } from './merkle.ts'
import type { VaultNode, VaultSibling } from './vault-tree.ts'

/**
 * A level of the vault's tree as one array: 32 bytes of hash and 8 of sum for each node. Two neighbours with a tag in
 * front are exactly what their parent hashes, and a million nodes take 40 MB instead of a million objects.
 */
export const NODE_BYTES = 40
const NODE_HASH_BYTES = 32
const PARENT_TAG = 1

/** The level above. A last node without a sibling moves up unchanged. */
async function levelAbove(level: Uint8Array, sha256: Sha256): Promise<Uint8Array> {
  const count = Math.ceil(level.length / NODE_BYTES / 2)
  const above = new Uint8Array(count * NODE_BYTES)
  const preimage = new Uint8Array(1 + 2 * NODE_BYTES)
  preimage[0] = PARENT_TAG
  for (let at = 0; at < count; at++) {
    const pair = level.subarray(2 * at * NODE_BYTES, (2 * at + 2) * NODE_BYTES)
    if (pair.length === NODE_BYTES) above.set(pair, at * NODE_BYTES)
    else {
      preimage.set(pair, 1)
      above.set(await sha256(preimage), at * NODE_BYTES)
      writeSum(above, at, sumAt(level, 2 * at) + sumAt(level, 2 * at + 1))
    }
  }
  return above
}

/** All levels, from this one to the root. */
export async function levelsFrom(level: Uint8Array, sha256: Sha256): Promise<Uint8Array[]> {
  const levels = [level]
  for (let last = level; last.length > NODE_BYTES; ) {
    last = await levelAbove(last, sha256)
    levels.push(last)
  }
  return levels
}

export const nodeAt = (level: Uint8Array, at: number): VaultNode => ({
  hash: level.slice(at * NODE_BYTES, at * NODE_BYTES + NODE_HASH_BYTES),
  sum: sumAt(level, at),
})

/** The siblings on the path from a node of the first level to the last level. Levels without a sibling are skipped. */
export function siblingsIn(levels: Uint8Array[], position: number): VaultSibling[] {
  return levels.slice(0, -1).flatMap((level, height) => {
    const sibling = (position >> height) ^ 1
    if (sibling * NODE_BYTES >= level.length) return []
    return [{ ...nodeAt(level, sibling), isLeft: sibling % 2 === 0 }]
  })
}

export function writeSum(level: Uint8Array, at: number, sum: bigint): void {
  if (BigInt.asUintN(64, sum) !== sum) throw new Error('a sum does not fit into 64 bits')
  new DataView(level.buffer, level.byteOffset).setBigUint64(at * NODE_BYTES + NODE_HASH_BYTES, sum)
}

const sumAt = (level: Uint8Array, at: number): bigint =>
  new DataView(level.buffer, level.byteOffset).getBigUint64(at * NODE_BYTES + NODE_HASH_BYTES)
