import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { colourOf, DRAW_SIZE } from '../../protocol/colour-odds.ts'
import { prefersLessMotion } from '../../ui/theme.ts'
import { type Phase, REVEAL_MS } from './use-table.ts'
import { type Chip, WheelChips } from './wheel-chips.tsx'

const SIZE = 360
const CENTER = SIZE / 2
const [INNER, OUTER] = [140, 160]
const DEGREES = 360 / DRAW_SIZE
const WANDER_MS = 1_900
const REVEAL = { duration: REVEAL_MS - 200, easing: 'cubic-bezier(.16,.6,.3,1)', fill: 'forwards' } as const
const numbers = Array.from({ length: DRAW_SIZE }, (_, number) => number)

/** Violet's four numbers are at the top, green on the right, red on the left. The arcs show the real odds. */
const angleOf = (number: number) => (number - 97.5) * DEGREES

type WheelProps = { phase: Phase; draw: number | null; chips: Chip[]; children: ReactNode }

/** All hundred numbers. A marker circles while the draw is pending, then stops on the drawn number. */
export function Wheel({ phase, draw, chips, children }: WheelProps) {
  const marker = useRef<HTMLDivElement>(null)
  useMarker(marker, phase, draw)
  const landed = phase === 'result' && draw !== null
  return (
    <div className="relative mx-auto aspect-square w-full max-w-[224px] sm:max-w-[360px]">
      <svg
        viewBox={`0 0 ${SIZE} ${SIZE}`}
        className="wheel absolute inset-0 size-full"
        data-phase={phase}
        data-landed={landed}
        aria-hidden="true"
      >
        {numbers.map((number) => (
          <line
            key={number}
            className="wheel-tick"
            data-drawn={landed && number === draw}
            x1={CENTER}
            x2={CENTER}
            y1={CENTER - INNER}
            y2={CENTER - OUTER - (landed && number === draw ? 6 : 0)}
            stroke={`var(--game-wheel-${colourOf(number)})`}
            strokeWidth={landed && number === draw ? 9 : 5.4}
            strokeLinecap="round"
            transform={`rotate(${angleOf(number)} ${CENTER} ${CENTER})`}
          />
        ))}
      </svg>
      {/* Not part of the picture, so that turning it does not paint the hundred numbers again. */}
      <div ref={marker} className="wheel-marker" data-phase={phase} aria-hidden="true">
        <span />
      </div>
      <div className="absolute inset-[15%] grid place-items-center">{children}</div>
      <WheelChips chips={chips} drawn={landed ? colourOf(draw) : null} />
    </div>
  )
}

/**
 * Turns the marker: at one speed while the draw is pending, then more and more slowly to the drawn number. The browser's
 * compositor does it, so nothing else on the page has to be rendered for its frames.
 */
function useMarker(marker: RefObject<HTMLElement | null>, phase: Phase, draw: number | null): void {
  const angle = useRef(0)
  useEffect(() => {
    const target = draw === null ? undefined : angleOf(draw)
    if (!marker.current) return
    if (phase === 'result' && target !== undefined) {
      angle.current = target
      marker.current.style.transform = `rotate(${target}deg)`
      return
    }
    if (prefersLessMotion() || (phase !== 'drawing' && phase !== 'revealing')) return
    const from = angle.current % 360
    const turnBy = (degrees: number, timing: KeyframeAnimationOptions) =>
      marker.current?.animate({ transform: [`rotate(${from}deg)`, `rotate(${from + degrees}deg)`] }, timing)
    const turning =
      phase === 'drawing' || target === undefined
        ? turnBy(360, { duration: WANDER_MS, iterations: Number.POSITIVE_INFINITY })
        : turnBy(((((target - from) % 360) + 360) % 360) + 360, REVEAL)
    return () => {
      angle.current = from + (Number(turning?.currentTime) / WANDER_MS) * 360
      turning?.cancel()
    }
  }, [marker, phase, draw])
}
