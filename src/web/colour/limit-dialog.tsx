import { useState } from 'react'
import { LIMIT_RAISE_HOURS, type LimitKind, type Limits } from '../../protocol/colour-limits.ts'
import { formatUsdt } from '../../protocol/money.ts'
import { AmountField } from '../../ui/amount-field.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { midnightUtcText } from '../../ui/format.ts'
import { readAmount } from '../shared/money/amounts.ts'
import { useLimits } from './use-limits.ts'

type LimitDialogProps = { kind: LimitKind; limits: Limits; onClose: () => void }

/** A lower limit takes effect immediately. Raising or removing one needs a wallet signature and a waiting period. */
export function LimitDialog({ kind, limits, onClose }: LimitDialogProps) {
  const now = limits[kind].amount
  const [text, setText] = useState(now === null ? '' : formatUsdt(now))
  const { save, needsSignature, isBusy, refusal } = useLimits(limits)
  const amount = readAmount(text)
  const isSet = amount !== undefined && amount > 0n
  const keep = async (value: Parameters<typeof save>[1]) => {
    if (await save(kind, value)) onClose()
  }
  return (
    <ConfirmDialog
      open
      title={kind === 'loss' ? 'Daily loss limit' : 'Daily stake limit'}
      action={isSet && needsSignature(kind, amount) ? 'Sign and raise' : 'Set limit'}
      onConfirm={() => isSet && keep(amount)}
      onCancel={onClose}
      busy={isBusy}
      disabled={!isSet}
    >
      <div className="grid gap-4">
        <AmountField
          label="Limit per day (UTC)"
          hint={`Each day ends at ${midnightUtcText(new Date())}`}
          value={text}
          onChange={setText}
          error={refusal}
        />
        <p className="text-sm">
          {kind === 'loss' ? 'Stakes minus payouts. Open bets count as lost.' : 'The total of all your bets in a day.'}{' '}
          A lower limit takes effect immediately. A higher one needs your wallet's signature and takes effect after{' '}
          {LIMIT_RAISE_HOURS} hours.
        </p>
        {now !== null && (
          <button
            type="button"
            disabled={isBusy}
            onClick={() => keep(null)}
            className="w-fit font-semibold text-primary text-sm underline underline-offset-4"
          >
            Remove the limit in {LIMIT_RAISE_HOURS} hours
          </button>
        )}
      </div>
    </ConfirmDialog>
  )
}
