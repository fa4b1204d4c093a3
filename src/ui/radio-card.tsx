import type { ReactNode } from 'react'

type RadioCardProps = {
  name: string
  checked: boolean
  onChange: () => void
  className: string
  /** For screen readers, if the content is only a picture. */
  label?: string
  children: ReactNode
}

/** A card over a native radio button, so that the keyboard and screen readers work. */
export const RadioCard = ({ name, checked, onChange, className, label, children }: RadioCardProps) => (
  <label
    className={`cursor-pointer transition has-focus-visible:outline-2 has-focus-visible:outline-primary has-focus-visible:outline-offset-2 ${className}`}
  >
    <input type="radio" name={name} aria-label={label} className="sr-only" checked={checked} onChange={onChange} />
    {children}
  </label>
)
