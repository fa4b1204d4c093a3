import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'

export type View = { x: number; y: number; scale: number }

const SCALE_MIN = 0.25
const SCALE_MAX = 2
const KEY_STEP = 60
/** A hand is never quite still: what moves less than this is a click. */
const CLICK_PX = 6
/** How far from the edge of the picture the focused member is kept. */
const EDGE_PX = 24
const clampScale = (scale: number) => Math.min(SCALE_MAX, Math.max(SCALE_MIN, scale))

/** How far a stretch must move to lie between two edges. */
function into(start: number, end: number, from: number, to: number): number {
  if (start < from + EDGE_PX) return from + EDGE_PX - start
  return Math.min(0, to - EDGE_PX - end)
}

/** Moves a picture under the hand: drag, pinch, wheel, and the keys of the keyboard. */
export function usePanZoom(initial: View) {
  const [view, setView] = useState(initial)
  const area = useRef<HTMLDivElement>(null)
  const pointers = useRef(new Map<number, { x: number; y: number }>())
  const travelled = useRef(0)

  const zoomAt = useCallback((factor: number, x: number, y: number) => {
    setView((before) => {
      const scale = clampScale(before.scale * factor)
      const ratio = scale / before.scale
      return { scale, x: x - (x - before.x) * ratio, y: y - (y - before.y) * ratio }
    })
  }, [])

  // React listens to wheel passively; a picture that zooms must keep the page from scrolling.
  useEffect(() => {
    const element = area.current
    const onWheel = (event: WheelEvent) => {
      event.preventDefault()
      const { left, top } = element?.getBoundingClientRect() ?? { left: 0, top: 0 }
      zoomAt(Math.exp(-event.deltaY / 400), event.clientX - left, event.clientY - top)
    }
    element?.addEventListener('wheel', onWheel, { passive: false })
    return () => element?.removeEventListener('wheel', onWheel)
  }, [zoomAt])

  function onPointerDown(event: PointerEvent): void {
    if (pointers.current.size === 0) travelled.current = 0
    pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
  }

  function onPointerMove(event: PointerEvent): void {
    const held = pointers.current
    const before = held.get(event.pointerId)
    if (!before) return
    const after = { x: event.clientX, y: event.clientY }
    const [other] = [...held].filter(([id]) => id !== event.pointerId).map(([, point]) => point)
    held.set(event.pointerId, after)
    travelled.current += Math.hypot(after.x - before.x, after.y - before.y)
    if (!other) {
      setView((view) => ({ ...view, x: view.x + after.x - before.x, y: view.y + after.y - before.y }))
      return
    }
    const { left, top } = area.current?.getBoundingClientRect() ?? { left: 0, top: 0 }
    const spread = (point: { x: number; y: number }) => Math.hypot(point.x - other.x, point.y - other.y)
    zoomAt(spread(after) / Math.max(1, spread(before)), (after.x + other.x) / 2 - left, (after.y + other.y) / 2 - top)
  }

  const onPointerUp = (event: PointerEvent) => void pointers.current.delete(event.pointerId)

  /** Who goes through the members by keyboard sees each of them: the picture follows the focus. */
  function onFocus({ target }: FocusEvent): void {
    const within = area.current?.getBoundingClientRect()
    if (!within || !target.matches(':focus-visible')) return
    const { left, right, top, bottom } = target.getBoundingClientRect()
    const x = into(left, right, within.left, within.right)
    const y = into(top, bottom, within.top, within.bottom)
    if (x !== 0 || y !== 0) setView((before) => ({ ...before, x: before.x + x, y: before.y + y }))
  }

  /** Whoever takes hold of a card to move the picture does not mean the card. */
  function onClickCapture(event: MouseEvent): void {
    if (event.detail > 0 && travelled.current > CLICK_PX) event.stopPropagation()
  }

  function zoomBy(factor: number): void {
    const { width, height } = area.current?.getBoundingClientRect() ?? { width: 0, height: 0 }
    zoomAt(factor, width / 2, height / 2)
  }

  function onKeyDown(event: KeyboardEvent): void {
    const moves: Record<string, [number, number]> = {
      ArrowLeft: [KEY_STEP, 0],
      ArrowRight: [-KEY_STEP, 0],
      ArrowUp: [0, KEY_STEP],
      ArrowDown: [0, -KEY_STEP],
    }
    const move = moves[event.key]
    if (move) setView((before) => ({ ...before, x: before.x + move[0], y: before.y + move[1] }))
    else if (event.key === '+' || event.key === '=') zoomBy(1.2)
    else if (event.key === '-') zoomBy(1 / 1.2)
    else return
    event.preventDefault()
  }

  const handlers = {
    onPointerDown,
    onPointerMove,
    onPointerUp,
    onPointerCancel: onPointerUp,
    onPointerLeave: onPointerUp,
    onClickCapture,
    onFocus,
    onKeyDown,
  }
  return { view, setView, area, handlers, zoomBy }
}
