import type { ReactNode } from 'react'
import { strokeByTone, type Tone } from './tone.ts'

type RingProps = {
  /** 0 to 1; without a value the ring spins. */
  value?: number | undefined
  size?: number
  stroke?: number
  tone?: Tone
  /** Describes the progress for screen readers. Without it the ring is decorative. */
  label?: string | undefined
  track?: string
  /** A countdown: easing its steps would paint the ring again in every frame. */
  ticks?: boolean
  children?: ReactNode
}

/** The motif of the product: all progress is shown as a ring. */
export function Ring({
  value,
  size = 96,
  stroke = 10,
  tone = 'leaf',
  label,
  track = 'stroke-track',
  ticks = false,
  children,
}: RingProps) {
  const share = value === undefined ? 0.28 : clamp(value)
  return (
    <div
      className="inline-grid shrink-0 place-items-center"
      style={{ width: size, height: size }}
      {...(label ? progressRole(value, label) : { 'aria-hidden': !children })}
    >
      <svg
        viewBox={`0 0 ${size} ${size}`}
        width={size}
        height={size}
        className={`col-start-1 row-start-1 ${value === undefined ? 'animate-spinner' : ''}`}
        aria-hidden="true"
      >
        <Arc
          center={size / 2}
          radius={(size - stroke) / 2}
          stroke={stroke}
          share={share}
          tone={tone}
          track={track}
          ticks={ticks}
        />
      </svg>
      {children && <div className="relative col-start-1 row-start-1 text-center">{children}</div>}
    </div>
  )
}

type RingsProps = { rings: { value: number; tone: Tone; label: string }[]; size?: number; stroke?: number }

/** Concentric rings, the first one outermost. */
export function Rings({ rings, size = 160, stroke = 14 }: RingsProps) {
  const summary = rings.map(({ label, value }) => `${label} ${Math.round(clamp(value) * 100)} percent`).join(', ')
  return (
    <svg viewBox={`0 0 ${size} ${size}`} width={size} height={size} role="img" aria-label={summary}>
      {rings.map(({ label, value, tone }, index) => (
        <Arc
          key={label}
          center={size / 2}
          radius={(size - stroke) / 2 - index * (stroke + 3)}
          stroke={stroke}
          share={clamp(value)}
          tone={tone}
          track="stroke-track"
          delayMs={index * 90}
        />
      ))}
    </svg>
  )
}

type ArcProps = {
  center: number
  radius: number
  stroke: number
  share: number
  tone: Tone
  track: string
  ticks?: boolean
  delayMs?: number
}

function Arc({ center, radius, stroke, share, tone, track, ticks = false, delayMs = 0 }: ArcProps) {
  const circle = { cx: center, cy: center, r: radius, fill: 'none', strokeWidth: stroke }
  return (
    <>
      <circle {...circle} className={track} />
      {share > 0 && (
        <circle
          {...circle}
          className={`${ticks ? '' : 'animate-ring transition-[stroke-dashoffset] duration-700'} ${strokeByTone[tone]}`}
          pathLength={1}
          strokeDasharray={1}
          strokeDashoffset={1 - share}
          strokeLinecap={share >= 1 ? 'butt' : 'round'}
          transform={`rotate(-90 ${center} ${center})`}
          style={{ animationDelay: `${delayMs}ms` }}
        />
      )}
    </>
  )
}

function progressRole(value: number | undefined, label: string) {
  if (value === undefined) return { role: 'status', 'aria-label': label }
  const percent = Math.round(clamp(value) * 100)
  return {
    role: 'progressbar',
    'aria-label': label,
    'aria-valuenow': percent,
    'aria-valuemin': 0,
    'aria-valuemax': 100,
  }
}

const clamp = (value: number) => (Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : 0)
