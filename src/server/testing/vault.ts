import { createWalletClient, encodeFunctionData, http, keccak256, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Address } from '../../protocol/ids.ts'
import type { Chain } from '../chain/client.ts'
import type { Hash } from '../chain/tables.ts'
import { contractOf, readVault } from '../chain/vault.ts'
import { vaultAbi } from '../chain/vault-abi.ts'

export type VaultRoles = { publisherKey: Hash; guardianKey: Hash; ownerKey: Hash }

/** Calls of the guardian and the owner. A change is a number: 0 replaces the payer, 4 sets the limits. */
export type VaultCall =
  | ['pause' | 'unpause']
  | ['accept', change: number]
  | ['propose', change: number, to: Address, micro: bigint, singleMax: bigint]

export function encodeVaultCall(call: VaultCall): Hash {
  const [functionName, ...args] = call
  return encodeFunctionData({ abi: vaultAbi, functionName, args } as Parameters<typeof encodeFunctionData>[0])
}

export type TestRoot = { total?: bigint; takenAt?: bigint }

/**
 * Publishes a root, so that `pay` works for a day. It is no real tree: its total is what the vault holds, unless the
 * test names another one. The transaction waits in the mempool until a block is mined.
 */
export async function publishTestRoot(
  chain: Chain,
  publisherKey: Hash,
  { total, takenAt }: TestRoot = {},
): Promise<Hash> {
  const [figures, block] = [await readVault(chain), await chain.client.getBlock({ blockTag: 'latest' })]
  const epoch = await chain.client.readContract({ ...contractOf(chain), functionName: 'epochMax' })
  const account = privateKeyToAccount(publisherKey)
  const wallet = createWalletClient({ account, transport: http(chain.settings.rpcUrl) })
  const root = keccak256(toHex(`test root ${epoch + 1n} ${chain.settings.vault}`))
  const args = [epoch + 1n, root, total ?? figures.held, figures.paidTotal, takenAt ?? block.timestamp] as const
  return wallet.writeContract({ ...contractOf(chain), functionName: 'publish', args, gas: 300_000n, chain: null })
}
