import { useState } from 'react'
import type { LimitKind, Limits } from '../../protocol/colour.ts'
import { formatUsdt } from '../../protocol/money.ts'
import { AmountField } from '../../ui/amount-field.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { readAmount } from '../amounts.ts'
import { isLooser, useLimits } from './use-limits.ts'

type LimitDialogProps = { kind: LimitKind; limits: Limits; onClose: () => void }

/** Lower at once; higher, or none at all, after a day and with the wallet's signature. */
export function LimitDialog({ kind, limits, onClose }: LimitDialogProps) {
  const now = limits[kind].amount
  const [text, setText] = useState(now === null ? '' : formatUsdt(now))
  const { save, isBusy, refusal } = useLimits(limits)
  const amount = readAmount(text)
  const isSet = amount !== undefined && amount > 0n
  const keep = async (value: Parameters<typeof save>[1]) => {
    if (await save(kind, value)) onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      locked={isBusy}
      title={kind === 'loss' ? 'Daily loss limit' : 'Daily stake limit'}
      actions={
        <>
          <Button variant="quiet" onClick={onClose} disabled={isBusy}>
            Cancel
          </Button>
          <Button onClick={() => isSet && keep(amount)} busy={isBusy} disabled={!isSet}>
            {isSet && isLooser(limits, kind, amount) ? 'Sign and raise' : 'Set limit'}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <AmountField label="At most, per day (UTC)" value={text} onChange={setText} error={refusal} />
        <p className="text-sm">
          {kind === 'loss'
            ? 'Stakes less what comes back. Bets that are still open count as lost.'
            : 'The sum of all bets of a day.'}{' '}
          A lower limit acts at once. A higher one needs your wallet's signature and acts after 24 hours.
        </p>
        {now !== null && (
          <button
            type="button"
            disabled={isBusy}
            onClick={() => keep(null)}
            className="w-fit font-semibold text-primary text-sm underline underline-offset-4"
          >
            Remove the limit in 24 hours
          </button>
        )}
      </div>
    </Dialog>
  )
}
