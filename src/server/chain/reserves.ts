import { micro, type Usdt, WEI_PER_MICRO } from '../../protocol/money.ts'
import type { Db } from '../platform/db.ts'
import type { Chain } from './client.ts'
import { listWallets, readHoldings } from './wallets.ts'

/** The USDT that all our addresses hold at the newest final block: the same sum the audit compares with the books. */
export async function readFinalReserves(db: Db, chain: Chain): Promise<{ amount: Usdt; block: bigint; at: Date }> {
  const { number, hash, timestamp } = await chain.client.getBlock({ blockTag: 'finalized' })
  return {
    amount: micro((await readHoldings(chain, await listWallets(db, chain), hash)) / WEI_PER_MICRO),
    block: number,
    at: new Date(Number(timestamp) * 1_000),
  }
}
