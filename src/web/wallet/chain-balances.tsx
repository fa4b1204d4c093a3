import { useMutation } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import type { Address } from '../../protocol/ids.ts'
import { wallet } from '../../protocol/wallet.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { notify } from '../../ui/toast.tsx'
import { call } from '../shared/api/api.ts'
import type { ChainBalance, ChainToken } from '../shared/wallet/balances.ts'
import { useChainBalance } from '../shared/wallet/use-chain-balance.ts'
import type { NetworkInfo } from '../shared/wallet/wallet.ts'
import { chainAmountText, fourCharacters } from './chain-amount.ts'

const tokens: { token: ChainToken; name: string; about: string }[] = [
  { token: 'usdt', name: 'USDT', about: 'for plans and deposits' },
  { token: 'bnb', name: 'BNB', about: 'for network fees' },
  { token: 'jw', name: 'JW', about: 'the JW token' },
  { token: 'jwc', name: 'JWC', about: 'the JWC token' },
]

type ChainBalancesProps = { address: Address; info: NetworkInfo; onFilled: () => void }

/** The wallet's balances on chain, read through our server. */
export function ChainBalances({ address, info, onFilled }: ChainBalancesProps) {
  return (
    <Card className="grid gap-4" aria-label="On chain">
      <div className="flex items-center justify-between gap-3">
        <h2 className="text-xl">On chain</h2>
        {info.faucet && <Faucet address={address} onFilled={onFilled} />}
      </div>
      <ul className="grid grid-cols-2 gap-3">
        {tokens.map((entry) => (
          <li key={entry.token} className="rounded-inner bg-sunken p-4" data-token={entry.token}>
            <TokenBalance {...entry} address={address} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

type TokenBalanceProps = (typeof tokens)[number] & { address: Address }

function TokenBalance({ token, name, about, address }: TokenBalanceProps) {
  const read = useChainBalance(token, address)
  return (
    <div className="grid gap-1">
      <p className="flex flex-wrap items-baseline justify-between gap-x-2">
        <span className="font-semibold">{name}</span>
        <span className="text-faint text-xs max-sm:hidden">{about}</span>
      </p>
      {read.isPending ? (
        <Skeleton className="h-8 w-32" />
      ) : read.data ? (
        <Amount balance={read.data} isShort={token === 'usdt'} />
      ) : (
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="font-display text-faint text-xl sm:text-2xl">unknown</span>
          <Button
            variant="bare"
            size="s"
            busy={read.isFetching}
            icon={<RotateCw size={15} aria-hidden="true" />}
            onClick={() => read.refetch()}
            aria-label={`Retry reading ${name}`}
          >
            Retry
          </Button>
        </p>
      )}
    </div>
  )
}

/** The specification shows USDT in four characters. The exact amount is below it, so that nothing is hidden. */
function Amount({ balance, isShort }: { balance: ChainBalance; isShort: boolean }) {
  const exact = chainAmountText(balance)
  if (!isShort) return <p className="figures font-display text-xl sm:text-2xl">{exact}</p>
  return (
    <>
      <p className="figures font-display text-xl sm:text-2xl" title={`${exact} USDT`}>
        {fourCharacters(balance)}
      </p>
      <p className="figures text-faint text-xs">exactly {exact}</p>
    </>
  )
}

/** Test money, on the development chain only. */
function Faucet({ address, onFilled }: { address: Address; onFilled: () => void }) {
  const fill = useMutation({
    mutationFn: () => call(wallet.faucet, { wallet_address: address }),
    onSuccess: ({ Msg }) => {
      notify.success(Msg)
      onFilled()
    },
    onError: ({ message }) => notify.error(message),
  })
  return (
    <Button variant="quiet" size="s" busy={fill.isPending} onClick={() => fill.mutate()}>
      Get test money
    </Button>
  )
}
