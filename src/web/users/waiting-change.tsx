import { Wallet } from 'lucide-react'
import { users } from '../../protocol/users.ts'
import type { WalletChange } from '../../protocol/wallet-changes.ts'
import { Address } from '../../ui/address.tsx'
import { Button } from '../../ui/button.tsx'
import { zonedText } from '../../ui/format.ts'
import { notify } from '../../ui/toast.tsx'
import { useCall } from '../shared/api/api.ts'
import { refreshChange } from './use-wallet-change.ts'

/** Says that the account's wallet is about to change, and lets the user stop it with one tap. */
export function WaitingChange({ change: { to_wallet, takes_effect_at } }: { change: WalletChange }) {
  const stop = useCall(users.stopWalletChange)
  const confirm = () =>
    stop.mutate(
      {},
      {
        onSuccess: ({ Msg }) => notify.success(Msg),
        onError: ({ message }) => notify.error(message),
        onSettled: refreshChange,
      },
    )
  return (
    <section aria-label="Change of your wallet" className="grid gap-4 rounded-card bg-gold-tint p-5 text-gold-ink">
      <div className="flex items-start gap-4">
        <Wallet size={22} aria-hidden="true" className="mt-0.5 shrink-0" />
        <div className="grid min-w-0 gap-2">
          <p>
            <strong>Your wallet is about to change</strong> on{' '}
            <time dateTime={takes_effect_at.toISOString()} className="font-semibold">
              {zonedText(takes_effect_at)}
            </time>
            . From then on you sign in with this wallet, and withdrawals go to it:
          </p>
          <span className="text-ink">
            <Address address={to_wallet} full />
          </span>
          <p>If you did not ask for this, stop it now, and sign out everywhere.</p>
        </div>
      </div>
      <Button variant="danger" busy={stop.isPending} onClick={confirm} className="sm:w-fit">
        Stop this change
      </Button>
    </section>
  )
}
