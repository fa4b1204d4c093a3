import { erc20Abi } from 'viem'
import { micro, type Usdt } from '../../protocol/money.ts'
import type { Chain } from './client.ts'
import { WEI_PER_MICRO } from './transfers-prove.ts'

/** The USDT we hold at the newest final block. */
export async function readFinalReserves({ client, settings }: Chain): Promise<{ amount: Usdt; block: bigint }> {
  const { number } = await client.getBlock({ blockTag: 'finalized' })
  const wei = await client.readContract({
    address: settings.usdt,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [settings.support],
    blockNumber: number,
  })
  return { amount: micro(wei / WEI_PER_MICRO), block: number }
}
