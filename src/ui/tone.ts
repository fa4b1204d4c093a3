/** The colours of a component, chosen by meaning. */
export type Tone = 'leaf' | 'lime' | 'coral' | 'sky' | 'violet' | 'gold' | 'ink'

export const strokeByTone: Record<Tone, string> = {
  leaf: 'stroke-leaf',
  lime: 'stroke-lime',
  coral: 'stroke-coral',
  sky: 'stroke-sky',
  violet: 'stroke-violet',
  gold: 'stroke-gold',
  ink: 'stroke-ink',
}

export const fillByTone: Record<Tone, string> = {
  leaf: 'fill-leaf',
  lime: 'fill-lime',
  coral: 'fill-coral',
  sky: 'fill-sky',
  violet: 'fill-violet',
  gold: 'fill-gold',
  ink: 'fill-ink',
}

export const backgroundByTone: Record<Tone, string> = {
  leaf: 'bg-leaf',
  lime: 'bg-lime',
  coral: 'bg-coral',
  sky: 'bg-sky',
  violet: 'bg-violet',
  gold: 'bg-gold',
  ink: 'bg-ink',
}

/** A pale background with readable text of the same colour. */
export const tintByTone: Record<Tone, string> = {
  leaf: 'bg-leaf-tint text-leaf-ink',
  lime: 'bg-lime-tint text-lime-ink',
  coral: 'bg-coral-tint text-coral-ink',
  sky: 'bg-sky-tint text-sky-ink',
  violet: 'bg-violet-tint text-violet-ink',
  gold: 'bg-gold-tint text-gold-ink',
  ink: 'bg-sunken text-soft',
}
