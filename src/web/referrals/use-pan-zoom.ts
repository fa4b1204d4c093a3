import { select } from 'd3-selection'
import { type D3ZoomEvent, zoom, zoomIdentity, zoomTransform } from 'd3-zoom'
import { type FocusEvent, type KeyboardEvent, type RefObject, useCallback, useLayoutEffect, useState } from 'react'
import type { Bounds } from './tree-layout.ts'

export type View = { x: number; y: number; scale: number }

const SCALE_MIN = 0.25
const SCALE_MAX = 2
const KEY_STEP = 60
/** A drag shorter than this counts as a click. */
const CLICK_PX = 6
/** At least this much of the picture stays in the view. */
const KEPT_PX = 96
/** Minimum distance between the focused member and the edge of the view. */
const EDGE_PX = 24

const MOVES: Record<string, [x: number, y: number]> = {
  ArrowLeft: [KEY_STEP, 0],
  ArrowRight: [-KEY_STEP, 0],
  ArrowUp: [0, KEY_STEP],
  ArrowDown: [0, -KEY_STEP],
}
const ZOOMS: Record<string, number> = { '+': 1.2, '=': 1.2, '-': 1 / 1.2 }

const between = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value))

/** How far the interval from `start` to `end` must move to lie between two edges. */
function into(start: number, end: number, from: number, to: number): number {
  if (start < from + EDGE_PX) return from + EDGE_PX - start
  return Math.min(0, to - EDGE_PX - end)
}

/**
 * Pan and zoom. d3-zoom handles drag, pinch and wheel, and suppresses the click at the end of a drag. Keys, buttons and
 * focus use the same d3 behaviour. Nothing is animated.
 */
export function usePanZoom(area: RefObject<HTMLDivElement | null>, bounds: Bounds) {
  const [view, setView] = useState<View>({ x: 0, y: 0, scale: 1 })
  const [behaviour] = useState(() =>
    zoom<HTMLDivElement, unknown>().scaleExtent([SCALE_MIN, SCALE_MAX]).clickDistance(CLICK_PX),
  )
  const picture = useCallback(() => select<HTMLDivElement, unknown>(area.current as HTMLDivElement), [area])

  useLayoutEffect(() => {
    behaviour.on('zoom', ({ transform: { x, y, k } }: D3ZoomEvent<HTMLDivElement, unknown>) => {
      setView({ x, y, scale: k })
    })
    // A double click on a card must not zoom.
    const element = picture().call(behaviour).on('dblclick.zoom', null)
    return () => void element.on('.zoom', null)
  }, [behaviour, picture])

  useLayoutEffect(() => {
    const { left, top, right, bottom } = bounds
    behaviour.constrain((transform, [, [width, height]]) => {
      const { x, y, k } = transform
      const keptX = between(x, KEPT_PX - right * k, width - KEPT_PX - left * k)
      const keptY = between(y, KEPT_PX - bottom * k, height - KEPT_PX - top * k)
      return keptX === x && keptY === y ? transform : zoomIdentity.translate(keptX, keptY).scale(k)
    })
  }, [behaviour, bounds])

  const moveTo = ({ x, y, scale }: View) => behaviour.transform(picture(), zoomIdentity.translate(x, y).scale(scale))
  /** Takes screen pixels; d3 expects pixels before scaling. */
  function moveBy(x: number, y: number): void {
    const { k } = zoomTransform(area.current as HTMLDivElement)
    behaviour.translateBy(picture(), x / k, y / k)
  }
  const zoomBy = (factor: number) => behaviour.scaleBy(picture(), factor)

  /** Moves the view so that a member focused by keyboard is always visible. */
  function onFocus({ target }: FocusEvent): void {
    const within = area.current?.getBoundingClientRect()
    if (!within || !target.matches(':focus-visible')) return
    const { left, right, top, bottom } = target.getBoundingClientRect()
    moveBy(into(left, right, within.left, within.right), into(top, bottom, within.top, within.bottom))
  }

  function onKeyDown(event: KeyboardEvent): void {
    const [move, factor] = [MOVES[event.key], ZOOMS[event.key]]
    if (move) moveBy(...move)
    else if (factor) zoomBy(factor)
    else return
    event.preventDefault()
  }

  return { view, moveTo, moveBy, zoomBy, handlers: { onFocus, onKeyDown } }
}
