import type { ComponentProps } from 'react'

type Weight = 'plain' | 'lead' | 'quiet'

const weights: Record<Weight, string> = {
  /** The default. */
  plain: 'bg-surface shadow-card',
  /** The most important card of a screen. */
  lead: 'bg-panel text-on-panel shadow-lift',
  /** Notes and help. */
  quiet: 'bg-sunken',
}

type CardProps = ComponentProps<'section'> & { weight?: Weight; padding?: 'none' | 'm' | 'l' }

export function Card({ weight = 'plain', padding = 'm', className = '', ...rest }: CardProps) {
  const space = { none: '', m: 'p-5 sm:p-6', l: 'p-6 sm:p-8' }[padding]
  return <section {...rest} className={`rounded-card ${weights[weight]} ${space} ${className}`} />
}
