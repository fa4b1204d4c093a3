import { scaleLinear } from 'd3-scale'
import { area, curveMonotoneX, line } from 'd3-shape'
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { fillByTone, strokeByTone, type Tone } from './tone.ts'

export type Point = { label: string; value: number }

type ChartProps = {
  /** Describes the chart for screen readers. */
  label: string
  points: Point[]
  kind?: 'area' | 'line' | 'bars'
  tone?: Tone
  height?: number
  format?: (value: number) => string
}

const MARGIN = { top: 16, right: 12, bottom: 30, left: 48 }

/** One series with axes. The pointer or the arrow keys select a point; a hidden table lists all of them. */
export function Chart({ label, points, kind = 'area', tone = 'leaf', height = 220, format = String }: ChartProps) {
  const [box, width] = useWidth()
  const [active, setActive] = useState<number>()
  const plot = layOut(points, width, height, kind)
  const shown = active === undefined ? undefined : points[active]

  const follow = (event: PointerEvent<HTMLElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left
    setActive(plot.nearest(x))
  }
  const step = (event: KeyboardEvent) => {
    const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!move) return
    event.preventDefault()
    setActive(Math.min(points.length - 1, Math.max(0, (active ?? (move > 0 ? -1 : points.length)) + move)))
  }

  return (
    <figure ref={box} className="relative" aria-label={label}>
      <div
        className="touch-pan-y rounded-lg"
        role="slider"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, points.length - 1)}
        aria-valuenow={active ?? 0}
        aria-valuetext={shown ? `${shown.label}: ${format(shown.value)}` : 'Use the arrow keys to read the points'}
        tabIndex={0}
        onPointerMove={follow}
        onPointerLeave={() => setActive(undefined)}
        onKeyDown={step}
        onBlur={() => setActive(undefined)}
      >
        <svg viewBox={`0 0 ${width} ${height}`} width="100%" height={height} aria-hidden="true">
          <Axes plot={plot} points={points} width={width} height={height} format={format} />
          {kind === 'bars' ? (
            <Bars plot={plot} points={points} tone={tone} active={active} />
          ) : (
            <Curve plot={plot} points={points} tone={tone} filled={kind === 'area'} />
          )}
          {shown && active !== undefined && kind !== 'bars' && (
            <g>
              <line
                x1={plot.x(active)}
                x2={plot.x(active)}
                y1={MARGIN.top}
                y2={plot.y(0)}
                className="stroke-line-strong"
              />
              <circle
                cx={plot.x(active)}
                cy={plot.y(shown.value)}
                r={6}
                strokeWidth={3}
                className={`fill-surface ${strokeByTone[tone]}`}
              />
            </g>
          )}
        </svg>
      </div>
      {shown && active !== undefined && <Tip point={shown} left={plot.x(active)} width={width} format={format} />}
      <HiddenTable label={label} points={points} format={format} />
    </figure>
  )
}

type TipProps = { point: Point; left: number; width: number; format: (value: number) => string }

function Tip({ point, left, width, format }: TipProps) {
  return (
    <div
      className="-translate-x-1/2 pointer-events-none absolute top-0 z-10 whitespace-nowrap rounded-[12px] bg-panel px-3 py-1.5 text-on-panel text-sm shadow-lift"
      style={{ left: Math.min(width - 60, Math.max(60, left)) }}
    >
      <span className="figures font-semibold">{format(point.value)}</span>
      <span className="ml-2 text-on-panel-soft">{point.label}</span>
    </div>
  )
}

type Plot = ReturnType<typeof layOut>

function layOut(points: Point[], width: number, height: number, kind: 'area' | 'line' | 'bars') {
  const values = points.map(({ value }) => value)
  const y = scaleLinear(
    [Math.min(0, ...values), Math.max(...values, 0) || 1],
    [height - MARGIN.bottom, MARGIN.top],
  ).nice(4)
  const inner = Math.max(1, width - MARGIN.left - MARGIN.right)
  const band = inner / Math.max(1, points.length)
  const gap = inner / Math.max(1, points.length - 1)
  const x = (index: number) => MARGIN.left + (kind === 'bars' ? band * (index + 0.5) : gap * index)
  const nearest = (pixel: number) => {
    const index = kind === 'bars' ? Math.floor((pixel - MARGIN.left) / band) : Math.round((pixel - MARGIN.left) / gap)
    return points.length === 0 ? undefined : Math.min(points.length - 1, Math.max(0, index))
  }
  return { x, y, band, nearest }
}

type AxesProps = { plot: Plot; points: Point[]; width: number; height: number; format: (value: number) => string }

function Axes({ plot, points, width, height, format }: AxesProps) {
  const every = Math.max(1, Math.ceil(points.length / Math.max(2, Math.floor(width / 84))))
  return (
    <g className="figures fill-faint text-xs">
      {plot.y.ticks(4).map((tick) => (
        <g key={tick}>
          <line
            x1={MARGIN.left}
            x2={width - MARGIN.right}
            y1={plot.y(tick)}
            y2={plot.y(tick)}
            className="stroke-line"
          />
          <text x={MARGIN.left - 10} y={plot.y(tick) + 4} textAnchor="end">
            {format(tick)}
          </text>
        </g>
      ))}
      {points.map(({ label }, index) =>
        index % every === 0 ? (
          <text key={label} x={plot.x(index)} y={height - 8} textAnchor={index === 0 ? 'start' : 'middle'}>
            {label}
          </text>
        ) : null,
      )}
    </g>
  )
}

function Curve({ plot, points, tone, filled }: { plot: Plot; points: Point[]; tone: Tone; filled: boolean }) {
  const x = (_: Point, index: number) => plot.x(index)
  const y = ({ value }: Point) => plot.y(value)
  const stroke = line(x, y).curve(curveMonotoneX)(points) ?? ''
  const fill = area(x, plot.y(0), y).curve(curveMonotoneX)(points) ?? ''
  return (
    <>
      {filled && <path d={fill} className={`${fillByTone[tone]} opacity-15`} />}
      <path d={stroke} fill="none" strokeWidth={3} strokeLinecap="round" className={strokeByTone[tone]} />
    </>
  )
}

type BarsProps = { plot: Plot; points: Point[]; tone: Tone; active: number | undefined }

function Bars({ plot, points, tone, active }: BarsProps) {
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

function HiddenTable({ label, points, format }: { label: string; points: Point[]; format: (value: number) => string }) {
  return (
    // A table ignores the height set by sr-only and would lengthen the page, so a wrapper hides it.
    <div className="sr-only">
      <table>
        <caption>{label}</caption>
        <tbody>
          {points.map((point) => (
            <tr key={point.label}>
              <th scope="row">{point.label}</th>
              <td>{format(point.value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function useWidth() {
  const box = useRef<HTMLElement>(null)
  const [width, setWidth] = useState(640)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => setWidth(element.clientWidth || 640))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [box, width] as const
}
