const tones = [
  { middle: 'fill-leaf-tint', letter: 'text-leaf-ink', arc: 'stroke-leaf' },
  { middle: 'fill-lime-tint', letter: 'text-lime-ink', arc: 'stroke-lime-ink' },
  { middle: 'fill-coral-tint', letter: 'text-coral-ink', arc: 'stroke-coral' },
  { middle: 'fill-sky-tint', letter: 'text-sky-ink', arc: 'stroke-sky' },
  { middle: 'fill-violet-tint', letter: 'text-violet-ink', arc: 'stroke-violet' },
  { middle: 'fill-gold-tint', letter: 'text-gold-ink', arc: 'stroke-gold' },
] as const
type Tone = (typeof tones)[number]

export const PLACES = 12

export type Drawing = { tone: Tone; arcs: { place: number; arc: Tone['arc'] }[] }

/**
 * What an address looks like: a ring of twelve places, of which some are drawn, each in one of two tones. The same
 * address always gives the same picture. Without an address the ring is whole.
 */
export function drawAddress(address: string): Drawing {
  const digits = /^0x[0-9a-f]{40}$/i.test(address) ? address.slice(2) : '0'.repeat(40)
  const numberAt = (from: number) => Number.parseInt(digits.slice(from, from + 6), 16)
  const hasBit = (from: number, place: number) => ((numberAt(from) >> place) & 1) === 1
  const first = numberAt(0) % tones.length
  const second = (first + 1 + (numberAt(6) % (tones.length - 1))) % tones.length
  const all = Array.from({ length: PLACES }, (_, place) => place)
  const marked = all.filter((place) => hasBit(12, place))
  // With few marks the other places are drawn: a few arcs would not look like a ring.
  const drawn = marked.length < PLACES / 2 ? all.filter((place) => !marked.includes(place)) : marked
  const toneAt = (place: number) => tones[hasBit(18, place) ? second : first] as Tone
  return { tone: tones[first] as Tone, arcs: drawn.map((place) => ({ place, arc: toneAt(place).arc })) }
}
