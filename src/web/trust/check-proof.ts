import type { OutputOf } from '../../protocol/route.ts'
import type { trust } from '../../protocol/trust.ts'
import { fromHex, toHex } from '../../verifier/bytes.ts'
import { rootOf } from '../../verifier/merkle.ts'
import { browserSha256 } from './sha256.ts'

export type Proof = OutputOf<typeof trust.proof>['data']
export type ProofResult = { isProven: boolean; root: string; total: bigint }

/** Recomputes the root from the user's leaf and compares it with the published one. */
export async function checkProof(
  { snapshot, leaf, siblings }: Proof,
  published: { root: string; total: bigint },
): Promise<ProofResult> {
  const own = {
    snapshotId: snapshot.id,
    userId: leaf.user_id,
    nonce: fromHex(leaf.nonce),
    balances: leaf.balances.map(({ amount }) => amount),
  }
  const path = siblings.map(({ hash, sum, side }) => ({ hash: fromHex(hash), sum, side }))
  const root = await rootOf(own, path, browserSha256)
  return {
    isProven: toHex(root.hash) === published.root && root.sum === published.total,
    root: toHex(root.hash),
    total: root.sum,
  }
}
