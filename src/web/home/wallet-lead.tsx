import type { Details } from '../../protocol/balance.ts'
import { brand } from '../../protocol/brand.ts'
import { type Usdt, ZERO } from '../../protocol/money.ts'
import { shortAddress } from '../../protocol/short-address.ts'
import { wallet } from '../../protocol/wallet.ts'
import { moneyParts } from '../../ui/format.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useRead } from '../shared/api/api.ts'
import { useConnection } from '../shared/api/connection.ts'
import { usdtOf } from '../shared/wallet/chain-usdt.ts'
import { useChainBalance } from '../shared/wallet/use-chain-balance.ts'

/** What a newcomer has: the USDT in their own wallet. */
export function WalletLead({ details: { wallet_address } }: { details: Details }) {
  const { data: chain, isPending } = useChainBalance('usdt', wallet_address)
  const network = useRead(wallet.chain, {}).data?.network
  const isOffline = useConnection() === 'offline'
  // Offline the read waits for the connection: then the balance is unknown, not loading.
  if (!isOffline && (isPending || (chain && !network)))
    return (
      <div className="grid gap-2" role="status" aria-label="Loading your wallet">
        {/* Two lines each on a phone, as the words have there. */}
        <Skeleton className="h-16 w-64 max-w-full bg-panel-line! sm:h-10" />
        <Skeleton className="h-12 w-72 max-w-full bg-panel-line! sm:h-6" />
      </div>
    )
  const { title, note } = chain
    ? wordsFor(usdtOf(chain), shortAddress(wallet_address), network !== 'bsc')
    : {
        title: `Welcome to ${brand.name}`,
        note: `${isOffline ? "You're offline" : 'The chain node did not answer'}, so the balance of your wallet is unknown. Nothing was lost.`,
      }
  return (
    <div className="grid gap-2">
      <h2 className="figures text-3xl sm:text-4xl">{title}</h2>
      <p className="text-on-panel-soft">{note}</p>
    </div>
  )
}

function wordsFor(amount: Usdt, address: string, isTest: boolean) {
  const unit = isTest ? 'test USDT' : 'USDT'
  if (amount === ZERO)
    return {
      title: 'Your wallet is ready',
      note: `There is no ${unit} in ${address} yet. The games and rings are free.`,
    }
  const { whole, decimals } = moneyParts(amount)
  const figure = decimals === '00' ? whole : `${whole}.${decimals}`
  return { title: `You have ${figure} ${unit}`, note: `In your own wallet, ${address}. What's next?` }
}
