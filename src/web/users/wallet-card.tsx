import { lazy, Suspense, useState } from 'react'
import type { OutputOf } from '../../protocol/route.ts'
import type { users } from '../../protocol/users.ts'
import { WALLET_CHANGE_HOURS } from '../../protocol/wallet-changes.ts'
import { Address } from '../../ui/address.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { CallError } from '../shared/api/api.ts'
import { FailedRead } from '../shared/page/failed-read.tsx'

const ChangeSheet = lazy(() =>
  import('./change-wallet-sheet.tsx').then((file) => ({ default: file.ChangeWalletSheet })),
)

type Me = OutputOf<typeof users.me>['data']
type Change = {
  data: OutputOf<typeof users.walletChange> | undefined
  error: CallError | null
  refetch: () => Promise<unknown>
}

/** The account's wallet, its former ones, and the way to change it. */
export function WalletCard({ me, change }: { me: Me | undefined; change: Change }) {
  const [open, setOpen] = useState(false)
  const { data, error } = change
  return (
    <Card className="grid gap-5">
      <h2 className="text-xl">Your wallet</h2>
      {error && !data ? (
        <FailedRead error={error} onRetry={() => change.refetch()} />
      ) : (
        <>
          <div className="grid gap-3">
            {me ? <Address address={me.wallet_address} full /> : <Skeleton className="h-13 rounded-full sm:h-9" />}
            {data && data.former.length > 0 && <Former wallets={data.former} />}
          </div>
          <p className="text-soft">
            {data?.waiting
              ? 'A change is waiting. Stop it before you ask for another one.'
              : `You can move your account to another wallet. Both wallets sign, and it takes ${WALLET_CHANGE_HOURS} hours.`}
          </p>
          <Button
            variant="outline"
            className="w-fit"
            disabled={!me || data?.waiting !== null}
            onClick={() => setOpen(true)}
          >
            Change wallet
          </Button>
          {open && me && (
            <Suspense>
              <ChangeSheet me={me} onClose={() => setOpen(false)} />
            </Suspense>
          )}
        </>
      )}
    </Card>
  )
}

const Former = ({ wallets }: { wallets: string[] }) => (
  <div className="grid gap-2">
    <p className="text-faint text-sm">
      Your former wallets. USDT that they, or their deposit addresses, send us still reaches this account.
    </p>
    {wallets.map((wallet) => (
      <Address key={wallet} address={wallet} />
    ))}
  </div>
)
