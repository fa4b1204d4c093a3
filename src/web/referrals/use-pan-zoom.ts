import { select } from 'd3-selection'
import { type D3ZoomEvent, zoom, zoomIdentity, zoomTransform } from 'd3-zoom'
import { type FocusEvent, type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'

export type View = { x: number; y: number; scale: number }

const SCALE_MIN = 0.25
const SCALE_MAX = 2
const KEY_STEP = 60
/** A hand is never quite still: a movement shorter than this is a click. */
const CLICK_PX = 6
/** How far from the edge of the picture the focused member is kept. */
const EDGE_PX = 24

const MOVES: Record<string, [x: number, y: number]> = {
  ArrowLeft: [KEY_STEP, 0],
  ArrowRight: [-KEY_STEP, 0],
  ArrowUp: [0, KEY_STEP],
  ArrowDown: [0, -KEY_STEP],
}
const ZOOMS: Record<string, number> = { '+': 1.2, '=': 1.2, '-': 1 / 1.2 }

/** How far a stretch must move to lie between two edges. */
function into(start: number, end: number, from: number, to: number): number {
  if (start < from + EDGE_PX) return from + EDGE_PX - start
  return Math.min(0, to - EDGE_PX - end)
}

/**
 * Moves a picture: d3-zoom handles drag, pinch and wheel, and keeps the click at the end of a drag from the card under
 * it. Keys, buttons and the focus go through the same behaviour. Nothing is animated.
 */
export function usePanZoom(initial: View) {
  const [view, setView] = useState(initial)
  const area = useRef<HTMLDivElement>(null)
  const [behaviour] = useState(() =>
    zoom<HTMLDivElement, unknown>().scaleExtent([SCALE_MIN, SCALE_MAX]).clickDistance(CLICK_PX),
  )
  const picture = useCallback(() => select<HTMLDivElement, unknown>(area.current as HTMLDivElement), [])

  useEffect(() => {
    behaviour.on('zoom', ({ transform: { x, y, k } }: D3ZoomEvent<HTMLDivElement, unknown>) => {
      setView({ x, y, scale: k })
    })
    // Two clicks on a card are two clicks.
    const element = picture().call(behaviour).on('dblclick.zoom', null)
    return () => void element.on('.zoom', null)
  }, [behaviour, picture])

  const moveTo = ({ x, y, scale }: View) => behaviour.transform(picture(), zoomIdentity.translate(x, y).scale(scale))
  /** By so many pixels of the screen: d3 counts in those of the picture. */
  function moveBy(x: number, y: number): void {
    const { k } = zoomTransform(area.current as HTMLDivElement)
    behaviour.translateBy(picture(), x / k, y / k)
  }
  const zoomBy = (factor: number) => behaviour.scaleBy(picture(), factor)

  /** A member reached by keyboard is always in sight: the picture follows the focus. */
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

  return { view, moveTo, zoomBy, area, handlers: { onFocus, onKeyDown } }
}
