import { useEffect, useRef } from 'react'
import type { QuizPower } from '../../protocol/quiz-engine.ts'

export type KeyActions = {
  shoot: (slot: number) => void
  aim: (direction: Direction) => void
  power: (power: QuizPower) => void
  pause: () => void
  mute: () => void
}

export type Direction = 'up' | 'down' | 'left' | 'right'

const arrows: Record<string, Direction> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
}
const powers: Record<string, QuizPower> = { q: 'slow', w: 'fifty', e: 'shield' }

/** 1–4 shoot; arrows aim and space shoots; Q, W, E use a power-up; P pauses; M mutes. */
export function useKeys(actions: KeyActions, enabled: boolean): void {
  const kept = useRef(actions)
  kept.current = actions
  useEffect(() => {
    if (!enabled) return
    const onKey = (event: KeyboardEvent) => {
      if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return
      const key = event.key.toLowerCase()
      const { shoot, aim, power, pause, mute } = kept.current
      const arrow = arrows[event.key]
      if (/^[1-4]$/.test(key)) shoot(Number(key) - 1)
      else if (arrow) aim(arrow)
      else if (powers[key]) power(powers[key])
      else if (key === 'p') pause()
      else if (key === 'm') mute()
      else return
      event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [enabled])
}

/** Moves the focus to the nearest target in this direction. Wraps around to the farthest target on the other side. */
export function aimAt(targets: (HTMLButtonElement | null)[], direction: Direction): void {
  const choices = targets.filter((target): target is HTMLButtonElement => target !== null && !target.disabled)
  const current = choices.find((target) => target === document.activeElement)
  if (!current) {
    choices[0]?.focus({ preventScroll: true })
    return
  }
  const from = middle(current)
  const [along, sign] = { left: ['x', -1], right: ['x', 1], up: ['y', -1], down: ['y', 1] }[direction] as [
    'x' | 'y',
    1 | -1,
  ]
  const across = along === 'x' ? 'y' : 'x'
  const cost = (target: HTMLButtonElement) => {
    const to = middle(target)
    const ahead = (to[along] - from[along]) * sign
    return (ahead > 1 ? ahead : ahead + 100_000) + Math.abs(to[across] - from[across]) / 2
  }
  choices
    .filter((target) => target !== current)
    .sort((one, other) => cost(one) - cost(other))[0]
    ?.focus({ preventScroll: true })
}

function middle(element: Element): { x: number; y: number } {
  const { left, top, width, height } = element.getBoundingClientRect()
  return { x: left + width / 2, y: top + height / 2 }
}
