import { Check, X } from 'lucide-react'
import type { Details } from '../../protocol/balance.ts'
import { IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Money } from '../../ui/money.tsx'
import { Ring } from '../../ui/ring.tsx'
import { ExplorerLink } from '../shared/money/explorer-link.tsx'
import type { Unposted } from './unposted.ts'
import { type Progress, useProgress } from './use-pending.ts'
import { useTiers } from './use-tiers.ts'

type ProgressProps = { purchase: Unposted; details: Details; onDismiss: (hash: string) => void }

/** The progress of one purchase: signed, sent, confirmed, active. */
export function PurchaseProgress({ purchase, details, onDismiss }: ProgressProps) {
  const progress = useProgress(purchase, { from: details.wallet_address, to: details.support })
  const { state, message } = progress
  const tier = useTiers().tiers.find(({ packageType }) => packageType === purchase.package_type)
  const isOver = state === 'active' || state === 'failed'
  return (
    <Card className="flex animate-rise items-center gap-4 sm:gap-6" aria-live="polite">
      <ProgressRing progress={progress} />
      <div className="grid min-w-0 flex-1 gap-1">
        <p className="font-display text-lg">
          {tier?.name} · <Money amount={purchase.usdt_amount} />
        </p>
        <p className={state === 'failed' ? 'text-coral-ink' : 'text-soft'}>{message}</p>
        <Steps state={state} />
        <ExplorerLink hash={purchase.trans_hash} />
      </div>
      {isOver && (
        <IconButton label="Dismiss" onClick={() => onDismiss(purchase.trans_hash)} className="self-start">
          <X size={18} aria-hidden="true" />
        </IconButton>
      )}
    </Card>
  )
}

function ProgressRing({ progress }: { progress: Progress }) {
  const { state, confirmations, needed } = progress
  const size = { size: 76, stroke: 8 }
  if (state === 'active')
    return (
      <Ring value={1} {...size} label="The plan is active">
        <Check className="text-leaf-ink" aria-hidden="true" />
      </Ring>
    )
  if (state === 'failed')
    return (
      <Ring value={1} tone="coral" {...size} label="The purchase failed">
        <X className="text-coral-ink" aria-hidden="true" />
      </Ring>
    )
  if (needed === 0 || confirmations === 0) return <Ring {...size} label="Waiting for the network" />
  const shown = Math.min(confirmations, needed)
  return (
    <Ring value={shown / needed} {...size} label={`${shown} of ${needed} confirmations`}>
      <span className="figures font-semibold text-sm">
        {shown}/{needed}
      </span>
    </Ring>
  )
}

const steps = ['Signed', 'Sent', 'Confirmed', 'Active']
const reached = { sent: 2, confirming: 2, active: 4, failed: 1 }

function Steps({ state }: { state: Progress['state'] }) {
  return (
    <ol className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {steps.map((step, index) => (
        <li key={step} className={index < reached[state] ? 'font-semibold text-leaf-ink' : 'text-faint'}>
          {index < reached[state] ? '✓ ' : ''}
          {step}
        </li>
      ))}
    </ol>
  )
}
