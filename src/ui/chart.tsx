import { area, curveMonotoneX, line } from 'd3-shape'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type ChartKind, LETTER_PX, layOut, type Plot, type Point, tickOf } from './chart-plot.ts'
import { fillByTone, strokeByTone, type Tone } from './tone.ts'

type ChartProps = {
  /** Describes the chart for screen readers. */
  label: string
  points: Point[]
  /** What the values are, such as USDT or steps. */
  unit: string
  /** Shown above the chart while no point is selected: for example the difference over the period. */
  summary?: ReactNode
  kind?: ChartKind
  tone?: Tone
  height?: number
}

/** How far each key moves the selected point. */
const STEPS: Record<string, number> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: 7,
  PageDown: -7,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

/**
 * One series with axes. The pointer, a finger or the keys select a point; its value is read above the chart, where it
 * covers nothing. A hidden table lists all points.
 */
export function Chart({ label, points, unit, summary, kind = 'area', tone = 'leaf', height = 200 }: ChartProps) {
  const [box, width] = useWidth()
  const [active, setActive] = useState<number>()
  const plot = layOut(points, width, height, kind)
  const last = points.length - 1
  const shown = active === undefined ? undefined : points[Math.min(active, last)]

  const follow = (event: PointerEvent<HTMLElement>) =>
    setActive(plot.nearest(event.clientX - event.currentTarget.getBoundingClientRect().left))
  const step = (event: KeyboardEvent) => {
    const move = STEPS[event.key]
    if (event.key === 'Escape') setActive(undefined)
    if (move === undefined) return
    event.preventDefault()
    setActive(Math.min(last, Math.max(0, (active ?? (move > 0 ? -1 : last + 1)) + move)))
  }

  return (
    <figure ref={box} className="relative grid gap-2" aria-label={label}>
      <div className="flex min-h-6 flex-wrap items-baseline gap-x-2 text-sm" aria-hidden={shown !== undefined}>
        {shown ? <Reading point={shown} unit={unit} /> : (summary ?? <span className="text-faint">{unit}</span>)}
      </div>
      <div
        className="touch-pan-y rounded-lg"
        role="slider"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={active ?? Math.max(0, last)}
        aria-valuetext={
          shown ? `${shown.label}: ${textOf(shown)} ${unit}` : 'Use the arrow keys to read the points one by one'
        }
        tabIndex={0}
        onPointerDown={follow}
        onPointerMove={follow}
        onPointerLeave={() => setActive(undefined)}
        onKeyDown={step}
        onBlur={() => setActive(undefined)}
      >
        <svg viewBox={`0 0 ${width} ${height}`} width="100%" height={height} aria-hidden="true">
          <Axes plot={plot} points={points} height={height} />
          {kind === 'bars' ? (
            <Bars plot={plot} points={points} tone={tone} active={active} />
          ) : (
            <Curve plot={plot} points={points} tone={tone} filled={kind === 'area'} active={active} />
          )}
        </svg>
      </div>
      <HiddenTable label={label} points={points} unit={unit} />
    </figure>
  )
}

const textOf = ({ text, value }: Point): string => text ?? value.toLocaleString('en', { maximumFractionDigits: 2 })

const Reading = ({ point, unit }: { point: Point; unit: string }) => (
  <>
    <span className="figures font-semibold">
      {textOf(point)} {unit}
    </span>
    <span className="text-faint">{point.label}</span>
  </>
)

function Axes({ plot, points, height }: { plot: Plot; points: Point[]; height: number }) {
  // A label that would be cut off at an edge is aligned with it.
  const anchor = (left: number, text: string) => {
    const half = (text.length * LETTER_PX) / 2
    return left - half < 0 ? 'start' : left + half > plot.width ? 'end' : 'middle'
  }
  return (
    <g className="figures fill-faint text-xs">
      {plot.ticks.map(({ text, top }) => (
        <g key={text}>
          <line x1={plot.left} x2={plot.right} y1={top} y2={top} className="stroke-line" />
          <text x={plot.left - 10} y={top + 4} textAnchor="end">
            {text}
          </text>
        </g>
      ))}
      {plot.labels.map(({ index, left }) => (
        <text key={index} x={left} y={height - 8} textAnchor={anchor(left, tickOf(points[index] as Point))}>
          {tickOf(points[index] as Point)}
        </text>
      ))}
    </g>
  )
}

type SeriesProps = { plot: Plot; points: Point[]; tone: Tone; active: number | undefined }

/** The marked point is the selected one, and otherwise the latest. */
function Curve({ plot, points, tone, filled, active }: SeriesProps & { filled: boolean }) {
  const x = (_: Point, index: number) => plot.x(index)
  const y = ({ value }: Point) => plot.y(value)
  const stroke = line(x, y).curve(curveMonotoneX)(points) ?? ''
  const fill = area(x, plot.bottom, y).curve(curveMonotoneX)(points) ?? ''
  const marked = Math.min(active ?? points.length - 1, points.length - 1)
  const point = points[marked]
  const at = plot.x(marked)
  return (
    <>
      {filled && <path d={fill} className={`${fillByTone[tone]} opacity-15`} />}
      <path d={stroke} fill="none" strokeWidth={2.5} strokeLinecap="round" className={strokeByTone[tone]} />
      {active !== undefined && <line x1={at} x2={at} y1={plot.top} y2={plot.bottom} className="stroke-line-strong" />}
      {point && (
        <circle
          cx={at}
          cy={plot.y(point.value)}
          r={5}
          strokeWidth={3}
          className={`fill-surface ${strokeByTone[tone]}`}
        />
      )}
    </>
  )
}

function Bars({ plot, points, tone, active }: SeriesProps) {
  const width = Math.min(40, plot.band * 0.62)
  return points.map(({ label, value }, index) => {
    const [top, bottom] = [Math.min(plot.y(value), plot.y(0)), Math.max(plot.y(value), plot.y(0))]
    return (
      <rect
        key={label}
        x={plot.x(index) - width / 2}
        y={top}
        width={width}
        height={Math.max(bottom - top, value === 0 ? 0 : 2)}
        rx={Math.min(8, width / 2)}
        className={`${fillByTone[tone]} transition-opacity ${active === undefined || active === index ? '' : 'opacity-40'}`}
      />
    )
  })
}

function HiddenTable({ label, points, unit }: { label: string; points: Point[]; unit: string }) {
  return (
    // A table ignores the height set by sr-only and would lengthen the page, so a wrapper hides it.
    <div className="sr-only">
      <table>
        <caption>{label}</caption>
        <tbody>
          {points.map((point) => (
            <tr key={point.label}>
              <th scope="row">{point.label}</th>
              <td>
                {textOf(point)} {unit}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Measured before the first paint, so that the chart is never drawn at a width that it does not have. */
function useWidth() {
  const box = useRef<HTMLElement>(null)
  const [width, setWidth] = useState(640)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    // The observer answers before the first paint. Asking for the width here would lay out the page twice.
    const observer = new ResizeObserver(() => flushSync(() => setWidth(element.clientWidth || 640)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [box, width] as const
}
