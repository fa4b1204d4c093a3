import type { Address } from '../../../protocol/ids.ts'
import { callNode } from './node.ts'
import type { NetworkInfo } from './wallet.ts'

export type ChainToken = 'bnb' | 'usdt' | 'jw' | 'jwc'
/** An amount in the token's smallest unit, and the token's number of decimals. */
export type ChainBalance = { units: bigint; decimals: number }

/** The first four bytes of the hash of `balanceOf(address)`. */
const BALANCE_OF = '0x70a08231'

/**
 * A wallet's balance of one token. A failed read is logged and returns null: unknown, not zero. These two calls are
 * written out, because viem would be the largest script of every page that shows a balance.
 */
export async function readChainBalance(
  info: NetworkInfo,
  owner: Address,
  token: ChainToken,
): Promise<ChainBalance | null> {
  try {
    if (token === 'bnb') return { units: toUnits(await callNode('eth_getBalance', [owner, 'latest'])), decimals: 18 }
    const { address, decimals } = info.tokens[token]
    const data = BALANCE_OF + owner.slice(2).padStart(64, '0')
    return { units: toUnits(await callNode('eth_call', [{ to: address, data }, 'latest'])), decimals }
  } catch (error) {
    console.error(`could not read the ${token} balance`, error)
    return null
  }
}

function toUnits(result: unknown): bigint {
  if (typeof result !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(result))
    throw new Error(`The node replied ${JSON.stringify(result)} instead of a number`)
  return BigInt(result)
}
