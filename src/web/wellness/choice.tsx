import type { ReactNode } from 'react'

type ChoiceProps = { name: string; value: string; checked: boolean; onChange: () => void; children: ReactNode }
type Kind = { type: 'radio' | 'checkbox'; disabled?: boolean }

/** A selectable tile over a native radio button or checkbox, so that the keyboard and screen readers work. */
export function Choice({ type, name, value, checked, onChange, disabled = false, children }: ChoiceProps & Kind) {
  return (
    <label className="relative grid min-h-12 cursor-pointer place-items-center rounded-control border border-line bg-surface px-3 py-2 text-center font-semibold text-[15px] text-ink transition has-checked:border-primary has-disabled:cursor-not-allowed has-checked:bg-leaf-tint has-checked:text-leaf-ink has-disabled:opacity-45 has-focus-visible:outline-2 has-focus-visible:outline-primary has-focus-visible:outline-offset-2">
      <input
        type={type}
        name={name}
        value={value}
        checked={checked}
        disabled={disabled}
        onChange={onChange}
        className="absolute inset-0 cursor-pointer appearance-none opacity-0"
      />
      {children}
    </label>
  )
}
