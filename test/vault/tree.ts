import { hash } from 'node:crypto'
import { type Hex, hexToBytes, toHex } from 'viem'
import {
  type VaultNode,
  type VaultTree,
  vaultLeafBytes,
  vaultLeafSum,
  vaultNodeBytes,
} from '../../src/verifier/vault-tree.ts'

/** A leaf and a proof in the form that the contract takes. */
export type Leaf = { userId: Hex; wallet: Hex; nonce: Hex; paid: bigint; balances: Balances }
export type Balances = readonly [bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint]
export type Sibling = { hash: Hex; sum: bigint; isLeft: boolean }
export type Tree = { root: Hex; total: bigint; leaves: Leaf[]; proofs: Sibling[][] }

/** Builds the tree of these leaves, with the proof of each. A last node without a sibling moves up unchanged. */
export function buildTree(place: VaultTree, leaves: Leaf[]): Tree {
  let level = leaves.map((leaf, at) => ({ ...leafNode(place, leaf), below: [at] }))
  const proofs: Sibling[][] = leaves.map(() => [])
  while (level.length > 1) {
    const above: typeof level = []
    for (let at = 0; at < level.length; at += 2) {
      const [left, right] = [level[at], level[at + 1]]
      if (!left || !right) above.push(...(left ? [left] : []))
      else {
        for (const leaf of left.below) proofs[leaf]?.push({ hash: toHex(right.hash), sum: right.sum, isLeft: false })
        for (const leaf of right.below) proofs[leaf]?.push({ hash: toHex(left.hash), sum: left.sum, isLeft: true })
        above.push({ ...parentOf(left, right), below: [...left.below, ...right.below] })
      }
    }
    level = above
  }
  const [top] = level
  if (!top) throw new Error('a tree has at least one leaf')
  return { root: toHex(top.hash), total: top.sum, leaves, proofs }
}

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer')

export function leafNode(place: VaultTree, leaf: Leaf): VaultNode {
  const balances = [...leaf.balances]
  const bytes = vaultLeafBytes(place, {
    userId: hexToBytes(leaf.userId),
    wallet: hexToBytes(leaf.wallet),
    nonce: hexToBytes(leaf.nonce),
    paid: leaf.paid,
    balances,
  })
  return { hash: sha256(bytes), sum: vaultLeafSum({ balances }) }
}

export const parentOf = (left: VaultNode, right: VaultNode): VaultNode => ({
  hash: sha256(vaultNodeBytes(left, right)),
  sum: left.sum + right.sum,
})

/** Whether a proof leads to this root, computed without the contract. */
export function isProofOf(
  place: VaultTree,
  root: { hash: Hex; total: bigint },
  leaf: Leaf,
  siblings: Sibling[],
): boolean {
  let node = leafNode(place, leaf)
  for (const { hash: other, sum, isLeft } of siblings) {
    if (node.sum >= 1n << 64n) return false
    const sibling = { hash: hexToBytes(other), sum }
    node = isLeft ? parentOf(sibling, node) : parentOf(node, sibling)
  }
  return toHex(node.hash) === root.hash && node.sum === root.total
}
