import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { controlClass } from './field.tsx'

type SelectProps = ComponentProps<'select'> & { options: readonly { value: string; label: string }[] }

/** The native select, because it works on every phone and with every screen reader. */
export function Select({ options, className = '', ...rest }: SelectProps) {
  return (
    <div className="relative">
      <select {...rest} className={`${controlClass} appearance-none truncate pr-11 ${className}`}>
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <ChevronDown
        size={18}
        aria-hidden="true"
        className="-translate-y-1/2 pointer-events-none absolute top-1/2 right-4 text-faint"
      />
    </div>
  )
}
