import { useLayoutEffect, useRef } from 'react'
import type { Colour } from '../../protocol/colour-odds.ts'
import { prefersLessMotion } from '../../ui/theme.ts'

export type Chip = { id: string; colour: Colour; text: string }

const FLIGHT_MS = 520

/** The user's chips on the arcs that they bet on. A new one flies there from its colour in the slip. */
export function WheelChips({ chips, drawn }: { chips: Chip[]; drawn: Colour | null }) {
  const first = useRef(new Set(chips.map(({ id }) => id)))
  const heights = new Map<Colour, number>()
  return (
    <div aria-hidden="true" className="pointer-events-none absolute inset-0">
      {chips.map((chip) => {
        const height = heights.get(chip.colour) ?? 0
        heights.set(chip.colour, height + 1)
        const isLost = drawn !== null && drawn !== chip.colour
        return (
          <ChipDisc
            key={chip.id}
            chip={chip}
            height={Math.min(height, 5)}
            isLost={isLost}
            flies={!first.current.has(chip.id)}
          />
        )
      })}
    </div>
  )
}

type ChipDiscProps = { chip: Chip; height: number; isLost: boolean; flies: boolean }

function ChipDisc({ chip: { colour, text }, height, isLost, flies }: ChipDiscProps) {
  const disc = useRef<HTMLSpanElement>(null)
  const willFly = useRef(flies)
  useLayoutEffect(() => {
    if (willFly.current && disc.current) fly(disc.current, colour)
    willFly.current = false
  }, [colour])
  return (
    <span
      ref={disc}
      className="wheel-chip figures"
      data-colour={colour}
      data-lost={isLost}
      style={{ marginTop: -4 * height }}
    >
      {text}
    </span>
  )
}

function fly(disc: HTMLElement, colour: Colour): void {
  const from = document.querySelector(`.colour-choice[data-colour="${colour}"]`)?.getBoundingClientRect()
  if (!from || prefersLessMotion()) return
  const to = disc.getBoundingClientRect()
  const x = from.left + from.width / 2 - (to.left + to.width / 2)
  const y = from.top + from.height / 2 - (to.top + to.height / 2)
  disc.animate(
    [
      { translate: `calc(-50% + ${x}px) calc(-50% + ${y}px)`, scale: 1.3 },
      { translate: `calc(-50% + ${x / 3}px) calc(-50% + ${y / 2 - 40}px)`, scale: 1.5, offset: 0.6 },
      { translate: '-50% -50%', scale: 1 },
    ],
    { duration: FLIGHT_MS, easing: 'cubic-bezier(.3,.7,.3,1)' },
  )
}
