import { Check, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import { Ring } from '../../../ui/ring.tsx'
import { ExplorerLink } from '../money/explorer-link.tsx'
import type { Progress } from './use-progress.ts'

/** The texts of one kind of payment. */
type Texts = { lastStep: string; done: string; failed: string }

type PaymentProgressProps = {
  title: ReactNode
  hash: string
  progress: Progress
  texts: Texts
  /** What to say below the reason of a failure. */
  failedHint?: string
  onDismiss: () => void
}

/** The progress of one payment on chain: signed, sent, confirmed, and what follows. */
export function PaymentProgress({ title, hash, progress, texts, failedHint, onDismiss }: PaymentProgressProps) {
  const { state, message } = progress
  const isFailed = state === 'failed'
  return (
    <div className="flex animate-rise items-center gap-4 sm:gap-6" aria-live="polite">
      <ProgressRing progress={progress} texts={texts} />
      <div className="grid min-w-0 flex-1 gap-1">
        <p className="font-display text-lg">{title}</p>
        <p className={isFailed ? 'text-coral-ink' : 'text-soft'}>{message}</p>
        {isFailed && failedHint && <p className="text-soft text-sm">{failedHint}</p>}
        <Steps state={state} lastStep={texts.lastStep} />
        <ExplorerLink hash={hash} />
      </div>
      {(state === 'done' || isFailed) && (
        <IconButton label="Dismiss" onClick={onDismiss} className="self-start">
          <X size={18} aria-hidden="true" />
        </IconButton>
      )}
    </div>
  )
}

function ProgressRing({ progress, texts }: { progress: Progress; texts: Texts }) {
  const { state, confirmations, needed } = progress
  const size = { size: 76, stroke: 8 }
  if (state === 'done')
    return (
      <Ring value={1} {...size} label={texts.done}>
        <Check className="text-leaf-ink" aria-hidden="true" />
      </Ring>
    )
  if (state === 'failed')
    return (
      <Ring value={1} tone="coral" {...size} label={texts.failed}>
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

const reached = { sent: 2, confirming: 2, done: 4, failed: 1 }

function Steps({ state, lastStep }: { state: Progress['state']; lastStep: string }) {
  return (
    <ol className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {['Signed', 'Sent', 'Confirmed', lastStep].map((step, index) => (
        <li key={step} className={index < reached[state] ? 'font-semibold text-leaf-ink' : 'text-faint'}>
          {index < reached[state] ? '✓ ' : ''}
          {step}
        </li>
      ))}
    </ol>
  )
}
