import { createWalletClient, http, keccak256, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Chain } from '../chain/client.ts'
import type { Hash } from '../chain/tables.ts'
import { contractOf, readVault } from '../chain/vault.ts'

export type VaultRoles = { publisherKey: Hash; guardianKey: Hash; ownerKey: Hash }

export type TestRoot = { total?: bigint; takenAt?: bigint }

/**
 * A root, so that the vault pays up to its floor of 1,000 USDT. All blocks of one second have the same time, and the next
 * root must be later than this one.
 */
export async function publishFirstRoot(chain: Chain, publisherKey: Hash): Promise<void> {
  const { timestamp } = await chain.client.getBlock()
  await publishTestRoot(chain, publisherKey, { takenAt: timestamp - 1n })
}

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
