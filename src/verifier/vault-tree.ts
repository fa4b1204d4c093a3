import { joinBytes } from './bytes.ts'
import type { Sha256 } from './merkle.ts'

/**
 * The vault's Merkle-sum tree. contracts/VaultTree.sol hashes the same bytes with SHA-256. Each node commits to the hash
 * and the sum of each child, so all leaves together never exceed the published total.
 */

/** The balances in a leaf, in this order: seven accounts, then payouts that are not sent yet, then open stakes. */
export const VAULT_BALANCES = [
  'plan',
  'reward',
  'referral',
  'wallet',
  'bet',
  'health',
  'hold',
  'pending_payouts',
  'open_stakes',
] as const

/** The tree that a leaf belongs to. It is part of every leaf, so no leaf is valid in another tree. */
export type VaultTree = { chainId: bigint; vault: Uint8Array; epoch: bigint }

/** `paid` is what the books have booked as paid by this vault to the wallet. */
export type VaultLeaf = {
  userId: Uint8Array
  wallet: Uint8Array
  nonce: Uint8Array
  paid: bigint
  balances: bigint[]
}

export type VaultNode = { hash: Uint8Array; sum: bigint }

/** A step from the leaf to the root: the other child, and whether it is the left one. */
export type VaultSibling = VaultNode & { isLeft: boolean }

const [LEAF_TAG, NODE_TAG] = [Uint8Array.of(0), Uint8Array.of(1)]
const [ADDRESS_BYTES, ID_BYTES, NONCE_BYTES, HASH_BYTES] = [20, 16, 16, 32]

export function vaultLeafBytes(tree: VaultTree, leaf: VaultLeaf): Uint8Array<ArrayBuffer> {
  if (leaf.balances.length !== VAULT_BALANCES.length) throw new Error('a leaf has nine balances')
  return joinBytes(
    LEAF_TAG,
    uint64Bytes(tree.chainId),
    sized(tree.vault, ADDRESS_BYTES),
    uint64Bytes(tree.epoch),
    sized(leaf.userId, ID_BYTES),
    sized(leaf.wallet, ADDRESS_BYTES),
    sized(leaf.nonce, NONCE_BYTES),
    uint64Bytes(leaf.paid),
    ...leaf.balances.map(uint64Bytes),
  )
}

export const vaultLeafSum = ({ balances }: Pick<VaultLeaf, 'balances'>): bigint =>
  balances.reduce((sum, balance) => sum + balance, 0n)

export const vaultNodeBytes = (left: VaultNode, right: VaultNode): Uint8Array<ArrayBuffer> =>
  joinBytes(
    NODE_TAG,
    sized(left.hash, HASH_BYTES),
    uint64Bytes(left.sum),
    sized(right.hash, HASH_BYTES),
    uint64Bytes(right.sum),
  )

/** Computes the root from a leaf. If it equals the published root and total, this leaf is counted in full. */
export async function vaultRootOf(
  tree: VaultTree,
  leaf: VaultLeaf,
  siblings: VaultSibling[],
  sha256: Sha256,
): Promise<VaultNode> {
  let node: VaultNode = { hash: await sha256(vaultLeafBytes(tree, leaf)), sum: vaultLeafSum(leaf) }
  for (const sibling of siblings) {
    const [left, right] = sibling.isLeft ? [sibling, node] : [node, sibling]
    node = { hash: await sha256(vaultNodeBytes(left, right)), sum: left.sum + right.sum }
  }
  return node
}

/** Fields have fixed lengths. Otherwise two different leaves could have the same bytes. */
function sized(bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length !== length) throw new Error(`expected ${length} bytes, got ${bytes.length}`)
  return bytes
}

/** Eight bytes, most significant first. */
export function uint64Bytes(value: bigint): Uint8Array {
  if (BigInt.asUintN(64, value) !== value) throw new Error(`${value} does not fit into 64 bits`)
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, value)
  return bytes
}
