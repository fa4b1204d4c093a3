import { formatEther } from 'viem'
import type { Address } from '../../protocol/ids.ts'
import type { Chain } from './client.ts'
import { withNode } from './deposits/prove.ts'

/** Enough gas for two USDT payments. */
const GAS_WANTED = 2n * 65_000n

/** The BNB that an address holds, as an exact decimal string. */
export const readBnb = async ({ client }: Chain, address: Address): Promise<string> =>
  formatEther(await client.getBalance({ address }))

/** The BNB that an address holds, and the BNB it needs to send USDT, as exact decimal strings. */
export async function readGas({ reader }: Chain, address: Address) {
  const [held, price] = await withNode(() => Promise.all([reader.getBalance({ address }), reader.getGasPrice()]))
  const needed = GAS_WANTED * price
  return { bnb: formatEther(held), bnb_needed: formatEther(needed), low: held < needed }
}
