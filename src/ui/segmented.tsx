import { useId } from 'react'

type SegmentedProps<Value extends string> = {
  label: string
  options: readonly { value: Value; label: string }[]
  value: Value
  onChange: (value: Value) => void
}

/** A choice between a few visible options. Built on radio buttons, for arrow keys and screen readers. */
export function Segmented<Value extends string>({ label, options, value, onChange }: SegmentedProps<Value>) {
  const name = useId()
  return (
    <fieldset>
      <legend className="mb-2 font-semibold text-[15px]">{label}</legend>
      <div className="grid auto-cols-fr grid-flow-col gap-1 rounded-[16px] bg-sunken p-1">
        {options.map((option) => (
          <label
            key={option.value}
            className="relative grid h-11 cursor-pointer place-items-center rounded-[12px] font-semibold text-sm text-soft transition hover:text-ink has-checked:bg-raised has-checked:text-ink has-checked:shadow-card has-focus-visible:outline-2 has-focus-visible:outline-primary"
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              className="absolute inset-0 cursor-pointer appearance-none opacity-0"
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
