import { erc20Abi } from 'viem'
import type { Address } from '../../../protocol/ids.ts'
import { chainReader, type NetworkInfo } from './wallet.ts'

export type ChainToken = 'bnb' | 'usdt' | 'jw' | 'jwc'
/** Units on chain and how many of their digits stand behind the point. */
export type ChainBalance = { units: bigint; decimals: number }

/** What a wallet holds of one token. The node's failure is logged and is null: unknown, which is not zero. */
export async function readChainBalance(
  info: NetworkInfo,
  owner: Address,
  token: ChainToken,
): Promise<ChainBalance | null> {
  const client = chainReader(info)
  try {
    if (token === 'bnb') return { units: await client.getBalance({ address: owner }), decimals: 18 }
    const { address, decimals } = info.tokens[token]
    const units = await client.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [owner] })
    return { units, decimals }
  } catch (error) {
    console.error(`the balance of ${token} could not be read`, error)
    return null
  }
}
