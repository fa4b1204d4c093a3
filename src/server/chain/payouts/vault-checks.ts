import type { Address } from '../../../protocol/ids.ts'
import { getHotWallet } from '../addresses.ts'
import type { Chain } from '../client.ts'
import { findAgreeing } from '../nodes.ts'
import { contractOf, revertOf } from '../vault.ts'
import type { Payout } from './payouts.ts'

/**
 * What the vault would do with a payout now:
 *   - `pays`: it would pay it;
 *   - a reason to wait: the operator or time can change it, so the withdrawal is not refunded;
 *   - `never`: the token refuses this payment. Then the id is voided and the withdrawal refunded.
 */
export type Verdict = 'pays' | 'limit' | 'stale' | 'paused' | 'used' | 'not-payer' | 'never'

const waits: Record<string, Verdict> = {
  OverLimit: 'limit',
  RootTooOld: 'stale',
  EnforcedPause: 'paused',
  IdUsed: 'used',
  NotAllowed: 'not-payer',
}

/** Runs the payout on the node without sending it. `never` needs the answer of every node. */
export async function judgePayout(chain: Chain, payout: Payout): Promise<Verdict> {
  const verdict = await simulate(chain, payout)
  if (verdict !== 'never') return verdict
  const other = await findAgreeing(chain, async (node) => (await simulate(node, payout)) !== 'never')
  return other ? simulate(other, payout) : 'never'
}

async function simulate(chain: Chain, { vaultId, to, amount }: Payout): Promise<Verdict> {
  const account: Address = getHotWallet(chain)
  try {
    const args = [vaultId, to, amount] as const
    await chain.client.simulateContract({ ...contractOf(chain), functionName: 'pay', args, account })
    return 'pays'
  } catch (error) {
    const name = revertOf(error)
    if (name === undefined) throw error
    return waits[name] ?? 'never'
  }
}
