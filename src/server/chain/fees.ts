import type { Chain } from './client.ts'
import type { Fees } from './payouts/payouts.ts'

/** Fee cap, so that a fee spike or a faulty node cannot drain the wallet. */
const FEE_WEI_MAX = 100n * 10n ** 9n
const TIP_WEI = 10n ** 9n

/** The current fees. */
export async function readFees({ client }: Chain): Promise<Fees> {
  const [block, tip] = await Promise.all([
    client.getBlock({ blockTag: 'latest' }),
    client.estimateMaxPriorityFeePerGas().catch(() => TIP_WEI),
  ])
  const tipMaxWei = tip > 0n ? tip : 1n
  return capped({ feeMaxWei: (block.baseFeePerGas ?? 0n) * 2n + tipMaxWei, tipMaxWei })
}

/** Fees of a replacement: an eighth higher, or today's if those are higher. Nodes want at least a tenth more of both. */
export function raisedFees(last: Fees, today: Fees): Fees {
  const raised = (fee: bigint, now: bigint) => (now > fee + fee / 8n + 1n ? now : fee + fee / 8n + 1n)
  return capped({
    feeMaxWei: raised(last.feeMaxWei, today.feeMaxWei),
    tipMaxWei: raised(last.tipMaxWei, today.tipMaxWei),
  })
}

const capped = ({ feeMaxWei, tipMaxWei }: Fees): Fees => ({
  feeMaxWei: feeMaxWei < FEE_WEI_MAX ? feeMaxWei : FEE_WEI_MAX,
  tipMaxWei: tipMaxWei < FEE_WEI_MAX ? tipMaxWei : FEE_WEI_MAX,
})
