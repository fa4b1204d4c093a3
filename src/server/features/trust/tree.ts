import { hash } from 'node:crypto'
import {
  type Leaf,
  leafBytes,
  leafSum,
  nodeBytes,
  nodeSum,
  type Sibling,
  type SumNode,
} from '../../../verifier/merkle.ts'

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer')

/** All levels of the tree, leaves first. A last node without a sibling moves up unchanged. */
export function buildTree(leaves: Leaf[]): SumNode[][] {
  let level: SumNode[] = leaves.map((leaf) => ({ hash: sha256(leafBytes(leaf)), sum: leafSum(leaf) }))
  const levels = [level]
  while (level.length > 1) {
    level = pairUp(level)
    levels.push(level)
  }
  return levels
}

function pairUp(level: SumNode[]): SumNode[] {
  const above: SumNode[] = []
  for (let at = 0; at < level.length; at += 2) {
    const [left, right] = [level[at], level[at + 1]]
    if (left && right) above.push({ hash: sha256(nodeBytes(left, right)), sum: nodeSum(left, right) })
    else if (left) above.push(left)
  }
  return above
}

/** Positions of the siblings on the path from a leaf to the root. Levels without a sibling are skipped. */
export function siblingPlaces(
  leafCount: number,
  position: number,
): { level: number; position: number; side: Sibling['side'] }[] {
  const places: { level: number; position: number; side: Sibling['side'] }[] = []
  let [width, at] = [leafCount, position]
  for (let level = 0; width > 1; level++) {
    const sibling = at ^ 1
    if (sibling < width) places.push({ level, position: sibling, side: sibling < at ? 'left' : 'right' })
    width = Math.ceil(width / 2)
    at >>= 1
  }
  return places
}
