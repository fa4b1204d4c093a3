import { erc20Abi } from 'viem'
import type { Address } from '../../../protocol/ids.ts'
import { chainReader, type NetworkInfo } from './wallet.ts'

export type ChainToken = 'bnb' | 'usdt' | 'jw' | 'jwc'
/** An amount in the token's smallest unit, and the token's number of decimals. */
export type ChainBalance = { units: bigint; decimals: number }

/** A wallet's balance of one token. A failed read is logged and returns null: unknown, not zero. */
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
    console.error(`could not read the ${token} balance`, error)
    return null
  }
}
