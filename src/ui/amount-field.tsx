import type { ReactNode } from 'react'
import { formatUsdt, micro, type Usdt } from '../protocol/money.ts'
import { amountRefusals } from '../protocol/rules.ts'
import { Field } from './field.tsx'
import { NumberInput } from './number-input.tsx'

const SMALLEST = micro(1n)

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

/** Without `min`, any amount above zero is accepted. The form itself refuses a smaller one, in the words of its rule. */
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
    <Field label={label} hint={note} error={error ?? zeroError(value)} aside={fillMax}>
      {(control) => (
        <div className="relative">
          <NumberInput
            {...control}
            value={value}
            disabled={disabled}
            inputMode="decimal"
            placeholder="0.00"
            min={formatUsdt(min ?? SMALLEST)}
            accepts={/^\d{0,12}(\.\d{0,6})?$/}
            onText={onChange}
            className="h-16 pr-20 font-semibold text-2xl"
          />
          <span className="-translate-y-1/2 pointer-events-none absolute top-1/2 right-4 font-semibold text-faint">
            USDT
          </span>
        </div>
      )}
    </Field>
  )
}

const zeroError = (value: string): string | undefined =>
  /^0+(\.0*)?$/.test(value) ? amountRefusals.zero.message : undefined
