import { useState } from 'react'
import { colour } from '../../protocol/colour.ts'
import { EXCLUSION_DAYS } from '../../protocol/colour-limits.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { RadioCard } from '../../ui/radio-card.tsx'
import { notify } from '../../ui/toast.tsx'
import { useCall } from '../shared/api/api.ts'
import { refreshGame } from './use-table.ts'

type Days = (typeof EXCLUSION_DAYS)[number]

/** Self-exclusion takes effect immediately and cannot be shortened, not even by support. */
export function ExclusionDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [days, setDays] = useState<Days>(1)
  const exclude = useCall(colour.exclude)
  const confirm = () =>
    exclude.mutate(
      { days },
      {
        onSuccess: ({ Msg }) => {
          notify.success(Msg)
          refreshGame()
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      open={open}
      title="Take a break"
      action={days === 1 ? 'Exclude me for 1 day' : `Exclude me for ${days} days`}
      onConfirm={confirm}
      onCancel={onClose}
      busy={exclude.isPending}
    >
      <div className="grid gap-4">
        <p>You can't bet in the colour game during this time. It starts immediately and cannot be shortened.</p>
        <fieldset className="grid grid-cols-3 gap-2">
          <legend className="sr-only">How long</legend>
          {EXCLUSION_DAYS.map((option) => (
            <RadioCard
              key={option}
              name="days"
              checked={option === days}
              onChange={() => setDays(option)}
              className="grid place-items-center rounded-control border-2 border-line py-3 font-semibold text-ink has-checked:border-primary has-checked:bg-leaf-tint"
            >
              {option === 1 ? '1 day' : `${option} days`}
            </RadioCard>
          ))}
        </fieldset>
        {exclude.error && (
          <p role="alert" className="text-coral-ink text-sm">
            {exclude.error.message}
          </p>
        )}
        <p className="text-sm">The money in your bet wallet stays yours. You can move it out at any time.</p>
      </div>
    </ConfirmDialog>
  )
}
