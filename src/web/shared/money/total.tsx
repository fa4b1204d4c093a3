import type { ReactNode } from 'react'
import type { Details } from '../../../protocol/balance.ts'
import { brand } from '../../../protocol/brand.ts'
import { add, ZERO } from '../../../protocol/money.ts'
import { shortAddress } from '../../../protocol/short-address.ts'
import { AnimatedMoney } from '../../../ui/animated-number.tsx'
import { Money } from '../../../ui/money.tsx'
import { useConnection } from '../api/connection.ts'
import { usdtOf } from '../wallet/chain-usdt.ts'
import { useChainBalance } from '../wallet/use-chain-balance.ts'
import { sumOfAccounts } from './accounts.ts'

/** Everything the user has: all accounts, and the USDT in the connected wallet. Each part is labelled. */
export function Total({ details }: { details: Details }) {
  const inAccounts = sumOfAccounts(details)
  const { data: chain, isPending } = useChainBalance('usdt', details.wallet_address)
  const inWallet = chain ? usdtOf(chain) : undefined
  const isOffline = useConnection() === 'offline'
  return (
    <div className="grid gap-5">
      <div className="grid gap-1">
        <h2 className="font-sans! font-medium text-base text-faint tracking-normal!">
          {inWallet === undefined ? `Total in ${brand.name}` : 'Total'}
        </h2>
        {/* The key: what the wallet holds is not a change when it is first read, so the figure does not count up to it. */}
        <AnimatedMoney
          key={inWallet === undefined ? 'accounts' : 'all'}
          amount={add(inAccounts, inWallet ?? ZERO)}
          className="font-display text-4xl sm:text-5xl"
        />
      </div>
      <dl className="flex flex-wrap gap-x-10 gap-y-3">
        <Part name={`In ${brand.name}`} note="all your accounts" amount={<Money amount={inAccounts} />} />
        <Part
          name="Connected wallet"
          note={`${shortAddress(details.wallet_address)}, on chain`}
          amount={inWallet === undefined ? isPending ? 'Loading...' : 'unknown' : <Money amount={inWallet} />}
        />
      </dl>
      {!isPending && inWallet === undefined && (
        <p role="status" className="text-soft text-sm">
          {isOffline ? "You're offline" : 'The chain node did not answer'}, so your connected wallet is not part of the
          total. Nothing was lost.
        </p>
      )}
    </div>
  )
}

const Part = ({ name, note, amount }: { name: string; note: string; amount: ReactNode }) => (
  <div>
    <dt className="font-semibold text-sm">{name}</dt>
    <dd className="font-display text-xl">{amount}</dd>
    <dd className="figures text-faint text-sm">{note}</dd>
  </div>
)
