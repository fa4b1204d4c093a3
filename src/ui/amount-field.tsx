import type { ReactNode } from 'react'
import { formatUsdt, type Usdt } from '../protocol/money.ts'
import { controlClass, Field } from './field.tsx'

type AmountFieldProps = {
  label: string
  value: string
  onChange: (value: string) => void
  min?: Usdt
  /** The 'Max' link fills in exactly this amount, with all six decimals. */
  max?: Usdt
  hint?: ReactNode
  error?: string | undefined
  disabled?: boolean
}

/** The value is text, not a number: what is typed is what is sent. A comma becomes a point; other input is ignored. */
export function AmountField({ label, value, onChange, min, max, hint, error, disabled }: AmountFieldProps) {
  const note = hint ?? (min !== undefined ? `Minimum ${formatUsdt(min)} USDT` : undefined)
  const fillMax = max !== undefined && (
    <button
      type="button"
      disabled={disabled}
      onClick={() => onChange(formatUsdt(max))}
      className="-my-2 rounded-lg px-2 py-2 font-semibold text-primary text-sm underline-offset-4 hover:underline"
    >
      Max
    </button>
  )
  return (
    <Field label={label} hint={note} error={error} aside={fillMax}>
      {(control) => (
        <div className="relative">
          <input
            {...control}
            value={value}
            disabled={disabled}
            inputMode="decimal"
            autoComplete="off"
            placeholder="0.00"
            min={min === undefined ? undefined : formatUsdt(min)}
            onChange={(event) => {
              const text = event.target.value.trim().replace(',', '.')
              if (/^\d{0,12}(\.\d{0,6})?$/.test(text)) onChange(text)
            }}
            className={`${controlClass} figures h-16 pr-20 font-semibold text-2xl`}
          />
          <span className="-translate-y-1/2 pointer-events-none absolute top-1/2 right-4 font-semibold text-faint">
            USDT
          </span>
        </div>
      )}
    </Field>
  )
}
