import { asciiBytes, joinBytes } from './bytes.ts'

/**
 * A Merkle-sum tree. Each node commits to the hash and the sum of each child separately, so no amount can hide inside a
 * combined sum. Leaves and nodes are hashed in different domains. Pure: the caller passes in SHA-256.
 */
export type Sha256 = (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array> | Uint8Array
export type SumNode = { hash: Uint8Array; sum: bigint }

/** The accounts in a user's leaf, in this order. */
export const LEAF_ACCOUNTS = ['plan', 'reward', 'referral', 'wallet', 'bet', 'health', 'hold'] as const
export type Leaf = { snapshotId: string; userId: string; nonce: Uint8Array; balances: bigint[] }

/** A step from a leaf to the root: the other child, and which side it is on. */
export type Sibling = SumNode & { side: 'left' | 'right' }

const LEAF = 0
const NODE = 1

export function leafSum({ balances }: Pick<Leaf, 'balances'>): bigint {
  if (balances.length !== LEAF_ACCOUNTS.length || balances.some((balance) => balance < 0n))
    throw new Error('a leaf has seven balances, none below zero')
  return balances.reduce<bigint>((sum, balance) => sum + balance, 0n)
}

/** Tag, snapshot, user, nonce and the seven balances. Each part has a fixed length, because ids are UUIDs. */
export const leafBytes = ({ snapshotId, userId, nonce, balances }: Leaf): Uint8Array<ArrayBuffer> =>
  joinBytes(Uint8Array.of(LEAF), asciiBytes(snapshotId), asciiBytes(userId), nonce, ...balances.map(integerBytes))

const nodeBytes = (left: SumNode, right: SumNode): Uint8Array<ArrayBuffer> =>
  joinBytes(Uint8Array.of(NODE), left.hash, integerBytes(left.sum), right.hash, integerBytes(right.sum))

const nodeSum = (left: SumNode, right: SumNode): bigint => left.sum + right.sum

/** Computes the root from a leaf. If it equals the published root and total, this leaf is counted in full. */
export async function rootOf(leaf: Leaf, siblings: Sibling[], sha256: Sha256): Promise<SumNode> {
  let node: SumNode = { hash: await sha256(leafBytes(leaf)), sum: leafSum(leaf) }
  for (const sibling of siblings) {
    if (sibling.sum < 0n) throw new Error('a sum is below zero')
    const [left, right] = sibling.side === 'left' ? [sibling, node] : [node, sibling]
    node = { hash: await sha256(nodeBytes(left, right)), sum: nodeSum(left, right) }
  }
  return node
}

/** Eight bytes, most significant first. */
function integerBytes(value: bigint): Uint8Array {
  if (value < 0n || value >= 1n << 63n) throw new Error('out of range')
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, value)
  return bytes
}
