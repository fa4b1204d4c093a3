import type { ReactNode } from 'react'
import { Skeleton } from './skeleton.tsx'

type Words = { label: string; hint?: ReactNode }
type SwitchProps = Words & { checked: boolean; onChange: (checked: boolean) => void }

/** An on/off switch that takes effect immediately. Built on the native checkbox. */
export function Switch({ label, hint, checked, onChange }: SwitchProps) {
  return (
    <label className={`cursor-pointer ${rowClass}`}>
      <Text {...{ label, hint }} />
      <span className="relative h-8 w-14 shrink-0">
        <input
          type="checkbox"
          role="switch"
          aria-checked={checked}
          checked={checked}
          onChange={(event) => onChange(event.target.checked)}
          className="peer size-full cursor-pointer appearance-none rounded-full bg-line-strong transition-colors checked:bg-primary"
        />
        <span
          aria-hidden="true"
          className="pointer-events-none absolute top-1 left-1 size-6 rounded-full bg-surface shadow-card transition-transform peer-checked:translate-x-6"
        />
      </span>
    </label>
  )
}

/** A switch whose state is not known yet. */
export function SwitchSkeleton({ label, hint }: Words) {
  return (
    <div className={rowClass}>
      <Text {...{ label, hint }} />
      <Skeleton className="h-8 w-14 shrink-0 rounded-full" />
    </div>
  )
}

const rowClass = 'flex items-center justify-between gap-4 py-1'

const Text = ({ label, hint }: Words) => (
  <span>
    <span className="block font-semibold text-[15px]">{label}</span>
    {hint && <span className="text-faint text-sm">{hint}</span>}
  </span>
)
