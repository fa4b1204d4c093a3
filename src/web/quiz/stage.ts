import { type RefObject, useEffect, useRef } from 'react'
import { escapeMs, motionMs, quizRules, worthOf } from '../../protocol/quiz-engine.ts'
import { placeOf, restingPlace } from '../../protocol/quiz-motion.ts'
import { prefersLessMotion } from '../../ui/theme.ts'
import { createEffects, type Effects } from './effects.ts'
import { openOf, type Session, shareOf } from './session.ts'
import { sounds } from './sound.ts'

/** The moving parts of the arena. Each frame updates them directly, bypassing React. */
export type Stage = {
  arena: RefObject<HTMLDialogElement | null>
  canvas: RefObject<HTMLCanvasElement | null>
  board: RefObject<HTMLDivElement | null>
  targets: RefObject<(HTMLButtonElement | null)[]>
  launcher: RefObject<HTMLDivElement | null>
  timer: RefObject<SVGCircleElement | null>
  worth: RefObject<HTMLSpanElement | null>
  effects: RefObject<Effects | null>
}

const TICK_FROM_MS = 3_000

export function useStage(session: Session): Stage {
  const stage: Stage = {
    arena: useRef(null),
    canvas: useRef(null),
    board: useRef(null),
    targets: useRef([]),
    launcher: useRef(null),
    timer: useRef(null),
    worth: useRef(null),
    effects: useRef(null),
  }
  const kept = useRef(stage)
  useEffect(() => {
    const { canvas, effects } = kept.current
    if (!canvas.current) return
    const still = prefersLessMotion()
    const drawn = still ? null : createEffects(canvas.current)
    effects.current = drawn
    // The arena has no size until it is shown, and its size changes when a phone is rotated.
    const sizes = new ResizeObserver(() => drawn?.resize())
    sizes.observe(canvas.current)
    const clock = { ticks: 0, lastMs: performance.now() }
    let frame = requestAnimationFrame(function draw(nowMs) {
      drawn?.frame(nowMs, Math.min(50, nowMs - clock.lastMs))
      clock.lastMs = nowMs
      moveAll(kept.current, session, still)
      countDown(session, clock)
      frame = requestAnimationFrame(draw)
    })
    return () => {
      cancelAnimationFrame(frame)
      sizes.disconnect()
      effects.current = null
    }
  }, [session])
  return stage
}

function moveAll({ board, targets, timer, worth }: Stage, session: Session, still: boolean): void {
  const { game, phase } = session.read()
  const open = openOf(game)
  if (!open || !board.current) return
  const elapsedMs = session.elapsedMs()
  const { clientWidth, clientHeight } = board.current
  for (const [slot, target] of targets.current.entries()) {
    if (!target) continue
    const place = still
      ? restingPlace(slot)
      : placeOf(game.seed, open.number, game.level, slot, motionMs(open, elapsedMs))
    const left = place.x * (clientWidth - target.offsetWidth)
    const top = place.y * (clientHeight - target.offsetHeight)
    target.style.translate = `${left.toFixed(1)}px ${top.toFixed(1)}px`
  }
  if (phase !== 'aiming' && phase !== 'firing') return
  timer.current?.style.setProperty('stroke-dashoffset', String(shareOf(open, elapsedMs)))
  if (worth.current) worth.current.textContent = String(worthOf(game, open, elapsedMs, quizRules.keyAim))
}

/** Plays a tick in the last seconds, and reports the escape when time is up. */
function countDown(session: Session, clock: { ticks: number }): void {
  const { game, phase } = session.read()
  const open = openOf(game)
  if (phase !== 'aiming' || !open) {
    clock.ticks = 0
    return
  }
  const leftMs = escapeMs(open) - session.elapsedMs()
  if (leftMs <= 0) {
    void session.escape()
    return
  }
  const ticks = leftMs > TICK_FROM_MS ? 0 : Math.floor((TICK_FROM_MS - leftMs) / 500) + 1
  if (ticks > clock.ticks) sounds.tick()
  clock.ticks = ticks
}

/** The centre of an element, in pixels relative to the arena. */
export function middleOf(stage: Stage, element: Element | null | undefined): { x: number; y: number } {
  const frame = stage.arena.current?.getBoundingClientRect()
  const box = element?.getBoundingClientRect()
  if (!frame || !box) return { x: 0, y: 0 }
  return { x: box.left + box.width / 2 - frame.left, y: box.top + box.height / 2 - frame.top }
}
