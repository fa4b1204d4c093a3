import { parseAbiItem } from 'viem'
import type { Address } from '../../protocol/ids.ts'
import { findFaucet } from './addresses.ts'
import type { Chain } from './client.ts'
import { configuredWallets } from './wallets.ts'

const TRANSFER = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')
const ZERO_ADDRESS: Address = `0x${'0'.repeat(40)}`

/** Who sent USDT to a wallet in these blocks, ignoring our addresses, the faucet, minting and the wallet itself. */
export async function listSenders(
  chain: Chain,
  wallet: Address,
  blocks: { from: bigint; to: bigint },
): Promise<Address[]> {
  const { client, settings } = chain
  const logs = await client.getLogs({
    address: settings.usdt,
    event: TRANSFER,
    args: { to: wallet },
    fromBlock: blocks.from,
    toBlock: blocks.to,
  })
  const ignored = new Set<string | undefined>([...configuredWallets(chain), findFaucet(chain), ZERO_ADDRESS, wallet])
  const senders = new Set(logs.map(({ args }) => (args.from ?? ZERO_ADDRESS).toLowerCase() as Address))
  return [...senders].filter((sender) => !ignored.has(sender))
}
