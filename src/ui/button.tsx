import type { ComponentProps, ReactNode } from 'react'
import { Ring } from './ring.tsx'

type Variant = 'primary' | 'quiet' | 'outline' | 'danger' | 'lime' | 'bare'
type Size = 's' | 'm' | 'l'
type Look = { variant?: Variant; size?: Size; wide?: boolean }

const variants: Record<Variant, string> = {
  primary: 'bg-primary text-on-primary shadow-card hover:bg-primary-hover',
  quiet: 'bg-quiet text-ink hover:brightness-95',
  outline: 'border border-line bg-surface text-ink hover:border-line-strong',
  danger: 'bg-coral-tint text-coral-ink hover:brightness-95',
  lime: 'bg-lime text-[#10231c] hover:brightness-95',
  bare: 'text-ink hover:bg-quiet',
}

const sizes: Record<Size, string> = {
  s: 'h-10 gap-1.5 rounded-[12px] px-3.5 text-sm',
  m: 'h-12 gap-2 rounded-control px-5 text-[15px]',
  l: 'h-14 gap-2.5 rounded-[18px] px-7 text-base',
}

/** Button classes, for links that look like a button. */
export function buttonClass({ variant = 'primary', size = 'm', wide = false }: Look = {}): string {
  const base =
    'inline-flex select-none items-center justify-center whitespace-nowrap font-semibold transition active:scale-[.98]'
  // A busy button keeps its colour. One that does nothing now has none.
  const off =
    'disabled:active:scale-100 disabled:aria-busy:opacity-55 disabled:not-aria-busy:border-transparent disabled:not-aria-busy:bg-track disabled:not-aria-busy:text-faint disabled:not-aria-busy:shadow-none disabled:not-aria-busy:brightness-100'
  return `${base} ${off} ${variants[variant]} ${sizes[size]} ${wide ? 'w-full' : ''}`
}

type ButtonProps = ComponentProps<'button'> &
  Look & {
    busy?: boolean
    /** How much of what keeps the button busy is done, 0 to 1. Without it the ring spins. */
    share?: number | undefined
    icon?: ReactNode
  }

export function Button(props: ButtonProps) {
  const { variant, size, wide, busy = false, share, icon, children, className = '', ...rest } = props
  const look = buttonClass({ ...(variant && { variant }), ...(size && { size }), ...(wide && { wide }) })
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || busy}
      aria-busy={busy || undefined}
      className={`${look} ${className}`}
    >
      {busy ? <Spinner share={share} /> : icon}
      {children}
    </button>
  )
}

type IconButtonProps = ComponentProps<'button'> & { label: string }

/** An icon-only button. Its label is for screen readers and the tooltip. */
export function IconButton({ label, children, className = '', ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={`inline-grid size-11 shrink-0 place-items-center rounded-full text-soft transition hover:bg-quiet hover:text-ink active:scale-95 disabled:opacity-50 ${className}`}
    >
      {children}
    </button>
  )
}

function Spinner({ share }: { share: number | undefined }) {
  return (
    <span className="grid text-current [&_circle]:stroke-current [&_circle:first-child]:opacity-25">
      <Ring value={share} size={18} stroke={3} />
    </span>
  )
}
