import { type ReactNode, useEffect, useRef } from 'react'
import { type BreathingExercise, breathAt } from '../../../protocol/wellness-breathing.ts'
import { cssVariables } from '../../../ui/css-variables.ts'
import { Ring } from '../../../ui/ring.tsx'
import { prefersLessMotion } from '../../../ui/theme.ts'

const PETALS = [0, 60, 120, 180, 240, 300]
const SIZE = 320

type OrbProps = { exercise: BreathingExercise; startedMs: number; share: number; children: ReactNode }

/** A flower that opens with each breath, inside a progress ring. It does not move for users who prefer less motion. */
export function BreathingOrb({ exercise, startedMs, share, children }: OrbProps) {
  const flower = useRef<SVGGElement>(null)
  useEffect(() => {
    if (prefersLessMotion()) return
    let frame = requestAnimationFrame(function draw(now) {
      const { fullness } = breathAt(exercise, Math.max(0, now - startedMs))
      flower.current?.style.setProperty('--open', String(fullness))
      frame = requestAnimationFrame(draw)
    })
    return () => cancelAnimationFrame(frame)
  }, [exercise, startedMs])
  return (
    <div className="relative grid place-items-center" style={cssVariables({ '--track': 'var(--panel-line)' })}>
      <Ring value={share} size={SIZE} stroke={6} tone="lime" label="Exercise progress">
        <svg viewBox="-100 -100 200 200" width={SIZE - 36} height={SIZE - 36} aria-hidden="true" className="block">
          <g
            ref={flower}
            style={{
              ...cssVariables({ '--open': '0.55' }),
              transform: 'scale(calc(0.46 + 0.54 * var(--open))) rotate(calc(var(--open) * 60deg))',
            }}
          >
            {PETALS.map((angle) => (
              <g key={angle} transform={`rotate(${angle})`}>
                <circle
                  r="46"
                  className={angle % 120 === 0 ? 'fill-leaf' : 'fill-sky'}
                  style={{ transform: 'translateY(calc(-44px * var(--open) - 6px))', opacity: 0.36 }}
                />
              </g>
            ))}
          </g>
        </svg>
      </Ring>
      <div className="absolute grid justify-items-center gap-1 text-center [text-shadow:0_1px_12px_rgb(0_0_0/.45)]">
        {children}
      </div>
    </div>
  )
}
