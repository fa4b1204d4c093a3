import type { OutputOf } from '../../../protocol/route.ts'
import type { wallet } from '../../../protocol/wallet.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Money } from '../../../ui/money.tsx'
import type { Tone } from '../../../ui/tone.ts'
import { ExplorerLink } from './explorer-link.tsx'

type Arrival = OutputOf<typeof wallet.depositAddress>['payments'][number]

const states: Record<Arrival['state'], { label: string; tone: Tone }> = {
  seen: { label: 'Seen on the network', tone: 'sky' },
  small: { label: 'Below the minimum', tone: 'gold' },
  moving: { label: 'Moving to the vault', tone: 'sky' },
  credited: { label: 'In your wallet balance', tone: 'leaf' },
  returned: { label: 'Sent to your wallet', tone: 'leaf' },
}

/** The newest payments to the deposit address, and how far each of them is. */
export const Arrivals = ({ payments, needed }: { payments: Arrival[]; needed: number }) => (
  <section aria-label="Payments to this address" className="grid gap-2" aria-live="polite">
    <h3 className="font-semibold">Payments to this address</h3>
    {payments.length === 0 ? (
      <p className="text-faint text-sm">None in the last hours. A payment appears here seconds after it is sent.</p>
    ) : (
      <ul className="grid gap-2">
        {payments.map(({ trans_hash, log_index, amount, state, confirmations }) => (
          <li key={`${trans_hash} ${log_index}`} className="grid gap-1 rounded-inner bg-sunken p-3">
            <div className="flex flex-wrap items-center justify-between gap-2">
              <Money amount={amount} exact className="font-semibold" />
              <Badge tone={states[state].tone}>{states[state].label}</Badge>
            </div>
            <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
              <ExplorerLink hash={trans_hash} />
              {state === 'moving' && (
                <span className="figures text-faint">
                  {Math.min(confirmations, needed)} of {needed} confirmations
                </span>
              )}
            </div>
          </li>
        ))}
      </ul>
    )}
  </section>
)
