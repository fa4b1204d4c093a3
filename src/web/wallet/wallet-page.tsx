import { Fuel } from 'lucide-react'
import type { ReactNode } from 'react'
import { balance, type Details } from '../../protocol/balance.ts'
import { brand } from '../../protocol/brand.ts'
import { colour } from '../../protocol/colour.ts'
import { wallet } from '../../protocol/wallet.ts'
import { Address } from '../../ui/address.tsx'
import { Card } from '../../ui/card.tsx'
import { Money } from '../../ui/money.tsx'
import { Qr } from '../../ui/qr.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { isTried, useRead } from '../shared/api/api.ts'
import { useEvent } from '../shared/api/events.ts'
import { queries } from '../shared/api/queries.tsx'
import { BetWalletHistory } from '../shared/money/bet-wallet-history.tsx'
import { MoneyActions } from '../shared/money/money-actions.tsx'
import { FailedLine, FailedRead } from '../shared/page/failed-read.tsx'
import { PageHead } from '../shared/page/page-head.tsx'
import type { NetworkInfo } from '../shared/wallet/wallet.ts'
import { ChainBalances } from './chain-balances.tsx'
import { Deposits } from './deposits.tsx'
import { MarketPrice } from './market-price.tsx'

const refreshNow = (): void => {
  for (const { path } of [balance.details, wallet.deposits, wallet.gas, colour.walletHistory])
    void queries.invalidateQueries({ queryKey: [path] })
  void queries.invalidateQueries({ queryKey: ['chain-balance'] })
}

/** The wallet on chain, the balance in the product, and ways to move money between them. */
export function WalletPage() {
  const details = useRead(balance.details, {})
  const info = useRead(wallet.chain, {})
  // Read before the page is shown: a warning that appears later would move everything below it.
  const gas = useRead(wallet.gas, {})
  useEvent('deposit', refreshNow)
  useEvent('balance', refreshNow)
  useEvent('resync', refreshNow)
  const failed = [details, info].filter(({ error, data }) => error && !data)
  return (
    <>
      <PageHead title="Wallet" subtitle="Your money on chain and in your account" />
      {failed.length > 0 ? (
        <Card>
          {failed.map(
            ({ error, refetch }) => error && <FailedRead key={error.message} error={error} onRetry={refetch} />,
          )}
        </Card>
      ) : details.data && info.data && isTried(gas) ? (
        <Wallet details={details.data.data} info={info.data} warning={<GasWarning gas={gas} />} />
      ) : (
        <Placeholder />
      )}
    </>
  )
}

type WalletProps = { details: Details; info: NetworkInfo; warning: ReactNode }

function Wallet({ details, info, warning }: WalletProps) {
  return (
    <div className="grid gap-5">
      {warning}
      <div className="grid items-start gap-5 wide:grid-cols-[minmax(0,3fr)_minmax(0,5fr)]">
        <div className="grid gap-5">
          <Held details={details} />
          <Identity address={details.wallet_address} info={info} />
          <MarketPrice />
        </div>
        <div className="grid gap-5">
          <ChainBalances address={details.wallet_address} info={info} onFilled={refreshNow} />
          <Deposits />
          <Card id="bet-wallet-history" className="scroll-mt-24" aria-label="Bet wallet history">
            <BetWalletHistory title="Bet wallet history" />
          </Card>
        </div>
      </div>
    </div>
  )
}

/** What the product holds for the user to spend, and what can be done with it. */
const Held = ({ details }: { details: Details }) => (
  <Card weight="lead" padding="l" className="grid gap-5" aria-label="Your money">
    <dl className="flex flex-wrap items-end justify-between gap-4">
      <div>
        <dt className="text-on-panel-soft text-sm">Wallet balance in {brand.name}</dt>
        <dd>
          <Money amount={details.wallet} className="font-display text-4xl" />
        </dd>
      </div>
      <div>
        <dt className="text-on-panel-soft text-sm">Bet wallet</dt>
        <dd>
          <Money amount={details.bet} className="font-display text-xl" />
        </dd>
      </div>
    </dl>
    <MoneyActions onChange={refreshNow} />
  </Card>
)

function Identity({ address, info }: { address: string; info: NetworkInfo }) {
  return (
    <Card className="grid justify-items-center gap-5 text-center">
      <div className="grid gap-1">
        <h2 className="text-xl">Your wallet</h2>
        <p className="text-soft text-sm">{info.network_name}</p>
      </div>
      <Qr text={address} label="QR code of your wallet address" />
      <Address address={address} full />
    </Card>
  )
}

/** Sending USDT costs a little BNB. This warns the user before a payment fails. */
function GasWarning({ gas }: { gas: ReturnType<typeof useRead<typeof wallet.gas>> }) {
  if (gas.error) return <FailedLine error={gas.error} />
  if (!gas.data?.low) return null
  return (
    <p role="status" className="flex items-start gap-3 rounded-card bg-gold-tint p-4 text-gold-ink">
      <Fuel size={20} className="mt-0.5 shrink-0" aria-hidden="true" />
      <span>
        {gas.data.Msg}. Keep about {gas.data.bnb_needed} BNB in it for network fees.
      </span>
    </p>
  )
}

function Placeholder() {
  return (
    <div
      className="grid gap-5 wide:grid-cols-[minmax(0,3fr)_minmax(0,5fr)]"
      role="status"
      aria-label="Loading your wallet"
    >
      <Skeleton className="h-96 rounded-card" />
      <div className="grid gap-5">
        <Skeleton className="h-44 rounded-card" />
        <Skeleton className="h-64 rounded-card" />
      </div>
    </div>
  )
}
