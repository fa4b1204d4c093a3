import { backgroundByTone, type Tone } from './tone.ts'

type ProgressProps = { value: number; label: string; tone?: Tone; className?: string }

/** A progress bar, for places where a ring does not fit. */
export function Progress({ value, label, tone = 'leaf', className = '' }: ProgressProps) {
  const percent = Math.round(Math.min(1, Math.max(0, value)) * 100)
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className={`h-2 overflow-hidden rounded-full bg-track ${className}`}
    >
      <div
        className={`h-full rounded-full transition-[width] duration-700 ${backgroundByTone[tone]}`}
        style={{ width: `${percent}%` }}
      />
    </div>
  )
}
