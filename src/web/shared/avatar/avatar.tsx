import type { AvatarName } from '../../../protocol/users.ts'
import { drawAddress, PLACES } from './drawing.ts'
import { drawings } from './drawings.ts'

const RADIUS = 17.4
const GAP_DEGREES = 11
const STEP_DEGREES = 360 / PLACES

type AvatarProps = { name: string; address: string; size?: number; drawing?: AvatarName }

/** The drawing that a user chose, or the first letter of the name, inside a ring drawn from the address of the wallet. */
export function Avatar({ name, address, size = 40, drawing }: AvatarProps) {
  const { tone, arcs } = drawAddress(address)
  return (
    <span
      aria-hidden="true"
      className="relative inline-grid shrink-0 place-items-center"
      style={{ width: size, height: size }}
    >
      <svg viewBox="0 0 40 40" className="absolute inset-0" aria-hidden="true">
        <circle cx="20" cy="20" r="14" className={tone.middle} />
        {arcs.map(({ place, arc }) => (
          <path key={place} d={arcAt(place)} fill="none" strokeWidth="3" strokeLinecap="round" className={arc} />
        ))}
        {drawing && (
          <path
            d={drawings[drawing]}
            fill="none"
            stroke="currentColor"
            strokeWidth="2"
            strokeLinecap="round"
            strokeLinejoin="round"
            className={tone.letter}
          />
        )}
      </svg>
      {!drawing && (
        <span className={`relative font-display ${tone.letter}`} style={{ fontSize: size * 0.4 }}>
          {(name[0] ?? '?').toUpperCase()}
        </span>
      )}
    </span>
  )
}

function arcAt(place: number): string {
  const from = place * STEP_DEGREES + GAP_DEGREES / 2
  return `M${pointAt(from)}A${RADIUS} ${RADIUS} 0 0 1 ${pointAt(from + STEP_DEGREES - GAP_DEGREES)}`
}

function pointAt(degrees: number): string {
  const angle = ((degrees - 90) * Math.PI) / 180
  return `${(20 + RADIUS * Math.cos(angle)).toFixed(2)} ${(20 + RADIUS * Math.sin(angle)).toFixed(2)}`
}
