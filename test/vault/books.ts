import { type Hex, hexToBytes, numberToHex } from 'viem'
import { type Model, paidTotal } from './model.ts'
import { type Balances, buildTree, type Leaf, type Tree } from './tree.ts'
import type { World } from './world.ts'

/** The operator's books in the tests: what each wallet is owed, and the trees that were made of it. */
export type Snapshot = { takenAt: bigint; paidAt: bigint; leaves: Leaf[] }
export type Books = {
  owed: Map<Hex, bigint>
  /** By root. */
  trees: Map<Hex, Tree>
  credit(wallet: Hex, micro: bigint): void
  snapshot(): Snapshot
  /** The tree of a snapshot for this epoch. */
  tree(snapshot: Snapshot, epoch: bigint): Tree
  /** The tree of the last root. */
  lastTree(): Tree | undefined
}

export function createBooks(model: Model): Books {
  const owed = new Map<Hex, bigint>()
  const trees = new Map<Hex, Tree>()
  let nonce = 0
  return {
    owed,
    trees,
    credit: (wallet, micro) => void owed.set(wallet, (owed.get(wallet) ?? 0n) + micro),
    snapshot: () => ({
      takenAt: model.now,
      paidAt: paidTotal(model),
      leaves: [...owed].map(([wallet, micro]) => leafOf(wallet, micro, model.paid.get(wallet) ?? 0n, nonce++)),
    }),
    tree: (snapshot, epoch) => {
      const tree = buildTree({ chainId: 1n, vault: hexToBytes(model.vault), epoch }, snapshot.leaves)
      trees.set(tree.root, tree)
      return tree
    },
    lastTree: () => trees.get(model.line.at(-1)?.hash ?? '0x'),
  }
}

/** Half of the money is in the wallet account, half is a payout that is not sent yet. */
export function leafOf(wallet: Hex, micro: bigint, paid: bigint, nonce: number): Leaf {
  const pending = micro / 2n
  const balances: Balances = [0n, 0n, 0n, micro - pending, 0n, 0n, 0n, pending, 0n]
  return { userId: `0x${wallet.slice(-32)}`, wallet, nonce: numberToHex(nonce, { size: 16 }), paid, balances }
}

/** Publishes a snapshot as its next epoch. */
export async function publish(
  world: World,
  books: Books,
  from: Hex,
  snapshot = books.snapshot(),
): Promise<string | undefined> {
  const epoch = world.model.epochMax + 1n
  const { root, total } = books.tree(snapshot, epoch)
  return world.send(from, { name: 'publish', args: [epoch, root, total, snapshot.paidAt, snapshot.takenAt] })
}
