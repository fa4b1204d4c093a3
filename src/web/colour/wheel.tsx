import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { colourOf, DRAW_SIZE } from '../../protocol/colour-odds.ts'
import { prefersLessMotion } from '../../ui/theme.ts'
import { type Phase, REVEAL_MS } from './use-table.ts'
import { type Chip, WheelChips } from './wheel-chips.tsx'

const SIZE = 360
const CENTER = SIZE / 2
const [INNER, OUTER] = [140, 160]
const DEGREES = 360 / DRAW_SIZE
const WANDER_DEGREES_PER_MS = 0.19
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

/** Animates the marker outside React: constant speed while waiting, then easing out to the drawn number. */
function useMarker(marker: RefObject<HTMLElement | null>, phase: Phase, draw: number | null): void {
  const angle = useRef(0)
  useEffect(() => {
    const turn = (degrees: number) => {
      angle.current = degrees
      if (marker.current) marker.current.style.transform = `rotate(${degrees}deg)`
    }
    const target = draw === null ? undefined : angleOf(draw)
    if (phase === 'result' && target !== undefined) return turn(target)
    if (prefersLessMotion() || (phase !== 'drawing' && phase !== 'revealing')) return
    if (phase === 'drawing') return animate((ms, from) => turn(from + ms * WANDER_DEGREES_PER_MS), angle.current)
    if (target === undefined) return
    const from = angle.current % 360
    const distance = ((((target - from) % 360) + 360) % 360) + 360
    return animate((ms) => turn(from + distance * ease(Math.min(1, ms / (REVEAL_MS - 200)))), from)
  }, [marker, phase, draw])
}

function animate(step: (elapsedMs: number, from: number) => void, from: number): () => void {
  const start = performance.now()
  let frame = requestAnimationFrame(function next(now) {
    step(now - start, from)
    frame = requestAnimationFrame(next)
  })
  return () => cancelAnimationFrame(frame)
}

const ease = (share: number) => 1 - (1 - share) ** 3.4
