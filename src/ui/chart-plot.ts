import { scaleLinear } from 'd3-scale'

/** `tick` is a shorter label for the axis, `text` the exact value where the number to draw loses digits. */
export type Point = { label: string; value: number; tick?: string; text?: string }
export type ChartKind = 'area' | 'line' | 'bars'
export type Plot = ReturnType<typeof layOut>

const MARGIN = { top: 12, right: 12, bottom: 30 }
const TICKS = 4
/** Widths of a digit and a letter in the axis font, a little more than they are. */
const DIGIT_PX = 7.2
export const LETTER_PX = 7
/** A curve leaves this share of its range free above and below. */
const ROOM = 0.12

/** Positions of everything in a chart, in pixels. */
export function layOut(points: Point[], width: number, height: number, kind: ChartKind) {
  const bottom = height - MARGIN.bottom
  const y = scaleLinear(domainOf(points, kind), [bottom, MARGIN.top]).nice(TICKS)
  const formatTick = y.tickFormat(TICKS)
  const ticks = y.ticks(TICKS).map((value) => ({ text: formatTick(value), top: y(value) }))
  const left = 14 + DIGIT_PX * Math.max(...ticks.map(({ text }) => text.length))
  const inner = Math.max(1, width - left - MARGIN.right)
  const band = inner / Math.max(1, points.length)
  const gap = inner / Math.max(1, points.length - 1)
  const isCentred = kind === 'bars' || points.length === 1
  const x = (index: number) => left + (isCentred ? band * (index + 0.5) : gap * index)
  const nearest = (pixel: number) => {
    const index = isCentred ? Math.floor((pixel - left) / band) : Math.round((pixel - left) / gap)
    return points.length === 0 ? undefined : Math.min(points.length - 1, Math.max(0, index))
  }
  const labels = labelled(points, inner).map((index) => ({ index, left: x(index) }))
  return { x, y, ticks, labels, band, nearest, left, right: width - MARGIN.right, width, top: MARGIN.top, bottom }
}

/** Bars start at zero, because their length is the value. A curve fills the height, so that its changes can be seen. */
function domainOf(points: Point[], kind: ChartKind): [number, number] {
  const values = points.map(({ value }) => value)
  if (values.length === 0) return [0, 1]
  const [low, high] = [Math.min(...values), Math.max(...values)]
  if (kind === 'bars') return [Math.min(0, low), Math.max(0, high) || 1]
  const room = (high - low) * ROOM || Math.abs(high) * ROOM || 1
  return [low >= 0 ? Math.max(0, low - room) : low - room, high + room]
}

/** The points whose labels fit side by side. The last one is always labelled. */
function labelled(points: Point[], width: number): number[] {
  const longest = Math.max(0, ...points.map(tickOf).map(({ length }) => length))
  const fitting = Math.max(2, Math.floor(width / (longest * LETTER_PX + 24)))
  const every = Math.max(1, Math.ceil(points.length / fitting))
  return points.map((_, index) => index).filter((index) => (points.length - 1 - index) % every === 0)
}

export const tickOf = ({ label, tick }: Point): string => tick ?? label
