import { ShieldCheck } from 'lucide-react'
import { useMemo, useState } from 'react'
import { brand } from '../../../protocol/brand.ts'
import type { Address as ChainAddress } from '../../../protocol/ids.ts'
import type { OutputOf } from '../../../protocol/route.ts'
import { wallet } from '../../../protocol/wallet.ts'
import { Address } from '../../../ui/address.tsx'
import { AmountField } from '../../../ui/amount-field.tsx'
import { amountText } from '../../../ui/format.ts'
import { Qr } from '../../../ui/qr.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { depositAddressOf } from '../../../verifier/deposit-address.ts'
import { useRead } from '../api/api.ts'
import { useStoredUser } from '../api/use-stored-user.ts'
import { FailedLine } from '../page/failed-read.tsx'
import type { NetworkInfo } from '../wallet/wallet.ts'
import { readAmount } from './amounts.ts'
import { Arrivals } from './arrivals.tsx'
import { depositLink } from './deposit-link.ts'
import type { Target } from './deposits.tsx'

type Deposit = OutputOf<typeof wallet.depositAddress>
const REREAD_MS = 4_000

/** Money from an exchange or from any other wallet: it is sent to the user's personal deposit address. */
export function FromElsewhere({ to }: { to: Target }) {
  const deposit = useRead(wallet.depositAddress, {}, { refetchIntervalMs: REREAD_MS })
  const info = useRead(wallet.chain, {})
  const error = deposit.data && info.data ? undefined : (deposit.error ?? info.error)
  if (error) return <FailedLine error={error} />
  if (!deposit.data || !info.data) return <Skeleton className="h-96" />
  return (
    <div className="grid gap-5">
      <Receiver deposit={deposit.data} info={info.data} to={to} />
      <Arrivals payments={deposit.data.payments} needed={deposit.data.confirmations_needed} />
    </div>
  )
}

/** A server that lies about the address would receive the money. So this browser computes it, too. */
function useIsOurs({ address, vault }: Deposit, info: NetworkInfo): boolean {
  const own = useStoredUser()?.wallet_address.toLowerCase() ?? ''
  return useMemo(
    () => vault === info.support && depositAddressOf(info.support, own) === address,
    [address, vault, info.support, own],
  )
}

function Receiver({ deposit, info, to }: { deposit: Deposit; info: NetworkInfo; to: Target }) {
  const isOurs = useIsOurs(deposit, info)
  if (!isOurs)
    return (
      <p role="alert" className="rounded-inner bg-coral-tint p-4 text-coral-ink">
        Do not send anything: the server's deposit address is not the one that this browser computed from your wallet
        and the vault. Please tell support.
      </p>
    )
  if (deposit.exits_open)
    return (
      <p className="rounded-inner bg-sunken p-4">
        The vault's exits are open, so deposits are no longer credited. USDT at your deposit address goes to your own
        wallet: anyone can send it there.
      </p>
    )
  return (
    <>
      <Code address={deposit.address} info={info} />
      <Facts deposit={deposit} info={info} to={to} />
      <Mistakes network={info.network_name} />
    </>
  )
}

function Code({ address, info }: { address: ChainAddress; info: NetworkInfo }) {
  const [text, setText] = useState('')
  const amount = readAmount(text)
  const token = { address: info.tokens.usdt.address, chainId: info.chain_id }
  return (
    <div className="grid justify-items-center gap-4">
      <Qr text={depositLink(address, token, amount)} label="QR code of your deposit address" size={168} />
      <Address address={address} full />
      <div className="w-full">
        <AmountField
          label="Amount (optional)"
          value={text}
          onChange={setText}
          hint="Fills in the amount when a wallet app scans the code. Leave it empty for an exchange."
        />
      </div>
    </div>
  )
}

function Facts({ deposit, info, to }: { deposit: Deposit; info: NetworkInfo; to: Target }) {
  return (
    <div className="grid gap-3 rounded-inner bg-sunken p-4 text-sm">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        <dt className="text-faint">Token</dt>
        <dd className="font-semibold">USDT</dd>
        <dt className="text-faint">Network</dt>
        <dd className="font-semibold">
          {info.network_name} (chain {info.chain_id})
        </dd>
        <dt className="text-faint">Minimum</dt>
        <dd className="font-semibold">{amountText(deposit.minimum)} USDT. Less waits until more arrives.</dd>
      </dl>
      <p>
        Send from any exchange or wallet. We move it to the vault, and once that is final it is in your wallet balance.
        {to === 'bet' && ' From there you add it here, under My balance.'}
      </p>
      <p className="flex gap-2">
        <ShieldCheck size={18} className="shrink-0 text-leaf-ink" aria-hidden="true" />
        <span>
          Checked in this browser: the address belongs to your wallet. USDT there can go only to the vault or to your
          own wallet, and {brand.name} can't change that.
        </span>
      </p>
    </div>
  )
}

const Mistakes = ({ network }: { network: string }) => (
  <details className="text-sm">
    <summary className="cursor-pointer font-semibold">Wrong token or wrong network?</summary>
    <ul className="mt-2 grid list-disc gap-1.5 pl-5 text-soft">
      <li>Another token on {network}: it can go only to your own wallet. Ask support, and we send it there.</li>
      <li>USDT on another network: we can't reach it. Ask the exchange that sent it to take it back.</li>
      <li>USDT sent to the vault from an unknown wallet: send the transaction hash to support. Two people check it.</li>
    </ul>
  </details>
)
