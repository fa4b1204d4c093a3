import { decodeErrorResult, encodeFunctionData, type Hex, toHex } from 'viem'
import type { VaultLeaf, VaultSibling } from '../../verifier/vault-tree.ts'
import type { Chain } from './client.ts'
import { type Publication, publishCall, publisherAddress, type VaultCall } from './publisher.ts'
import { contractOf } from './vault.ts'
import { vaultAbi } from './vault-abi.ts'

export type CheckedLeaf = { leaf: VaultLeaf; siblings: VaultSibling[] }

/** The highest epoch published, struck or not. */
export const readEpochMax = (chain: Chain): Promise<bigint> =>
  chain.client.readContract({ ...contractOf(chain), functionName: 'epochMax' })

/**
 * Has a node publish the root and check these leaves, without a transaction (eth_simulateV1). Throws if the vault would
 * refuse the root, or one of the proofs: users would keep files that are worth nothing.
 */
export async function requireAccepted(chain: Chain, publication: Publication, leaves: CheckedLeaf[]): Promise<void> {
  const to = chain.settings.vault
  const checks = leaves.map((leaf) => ({ to, data: checkData(leaf) }))
  const calls = [{ from: publisherAddress(chain), to, data: publishCall(publication).data }, ...checks]
  const [block] = await chain.client.simulateBlocks({ blocks: [{ calls }] })
  const [published, ...checked] = block?.calls ?? []
  if (published?.status !== 'success')
    throw new Error(`the vault would refuse this root: ${errorName(published?.data ?? '0x')}`)
  const isChecked = checked.length === leaves.length && checked.every(({ data }) => data === toHex(true, { size: 32 }))
  if (!isChecked) throw new Error('the vault would refuse a proof in this tree')
}

function errorName(data: Hex): string {
  try {
    return decodeErrorResult({ abi: vaultAbi, data }).errorName
  } catch {
    // Not an error of the vault.
    return data
  }
}

const checkData = ({ leaf, siblings }: CheckedLeaf): Hex =>
  encodeFunctionData({
    abi: vaultAbi,
    functionName: 'check',
    args: [
      {
        userId: toHex(leaf.userId),
        wallet: toHex(leaf.wallet),
        nonce: toHex(leaf.nonce),
        paid: leaf.paid,
        balances: leaf.balances as unknown as Nine,
      },
      siblings.map(({ hash, sum, isLeft }) => ({ hash: toHex(hash), sum, isLeft })),
    ],
  })

type Nine = readonly [bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint]

/** Throws if the vault would refuse this call, before gas is spent on it. */
export async function requireCallable(chain: Chain, { data }: VaultCall): Promise<void> {
  await chain.client.call({ account: publisherAddress(chain), to: chain.settings.vault, data })
}
