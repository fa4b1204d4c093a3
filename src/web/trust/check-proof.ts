import type { OutputOf } from '../../protocol/route.ts'
import type { trust } from '../../protocol/trust.ts'
import { fromHex, toHex } from '../../verifier/bytes.ts'
import { vaultRootOf } from '../../verifier/vault-tree.ts'
import { browserSha256 } from './sha256.ts'

export type Proof = OutputOf<typeof trust.proof>['data']
export type ProofResult = { isProven: boolean; root: string; total: bigint }

/** Recomputes the root from the user's leaf and compares it with the published one. */
export async function checkProof(
  { snapshot, leaf, siblings, vault, chain_id }: Proof,
  published: { root: string; total: bigint },
): Promise<ProofResult> {
  const tree = { chainId: BigInt(chain_id), vault: fromHex(vault.slice(2)), epoch: BigInt(snapshot.epoch) }
  const own = {
    userId: fromHex(leaf.user_id.replaceAll('-', '')),
    wallet: fromHex(leaf.wallet.slice(2)),
    nonce: fromHex(leaf.nonce),
    paid: leaf.paid,
    balances: leaf.balances.map(({ amount }) => amount),
  }
  const path = siblings.map(({ hash, sum, side }) => ({ hash: fromHex(hash), sum, isLeft: side === 'left' }))
  const root = await vaultRootOf(tree, own, path, browserSha256)
  return {
    isProven: toHex(root.hash) === published.root && root.sum === published.total,
    root: toHex(root.hash),
    total: root.sum,
  }
}
