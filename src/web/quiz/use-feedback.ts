import { useEffect, useRef } from 'react'
import { prefersLessMotion } from '../../ui/theme.ts'
import type { Colour } from './effects.ts'
import type { Session, SessionState } from './session.ts'
import { sounds } from './sound.ts'
import { middleOf, type Stage } from './stage.ts'

export const slotColours: Colour[] = ['leaf', 'sky', 'violet', 'gold']

/** Fires a shot, with its animation and sound. `aim`: 100 in the middle of the target, 0 at its edge. */
export function fire(session: Session, stage: Stage, slot: number, aim: number): void {
  const { phase, game } = session.read()
  if (phase !== 'aiming' || game.question?.removed.includes(slot)) return
  const from = middleOf(stage, stage.launcher.current)
  const to = middleOf(stage, stage.targets.current[slot])
  stage.effects.current?.wave(from, 'lime', 46, 3)
  stage.effects.current?.shoot(from, to, slotColours[slot] ?? 'lime')
  sounds.fire()
  void session.shoot(slot, aim)
}

/** Plays the effects, sounds and vibration for each verdict from the server, once per verdict. */
export function useFeedback(state: SessionState, stage: Stage): void {
  const kept = useRef(stage)
  const seen = useRef(0)
  const { outcome, combo, level } = state.game
  useEffect(() => {
    kept.current.effects.current?.setPace(level)
  }, [level])
  useEffect(() => {
    if (!outcome || seen.current === outcome.question) return
    seen.current = outcome.question
    const { targets, arena, effects } = kept.current
    const right = middleOf(kept.current, targets.current[outcome.right])
    if (outcome.result === 'hit') {
      sounds.hit(combo)
      navigator.vibrate?.(18)
      const tone = slotColours[outcome.right] ?? 'lime'
      effects.current?.burst(right, [tone, 'lime', 'white'], 26 + Math.min(40, combo * 5), 1 + combo / 14)
      effects.current?.wave(right, 'lime', 110 + combo * 6)
      if (combo >= 3) effects.current?.wave(right, tone, 70 + combo * 5, 9)
    } else {
      const shot = outcome.option === null ? null : middleOf(kept.current, targets.current[outcome.option])
      if (shot) effects.current?.burst(shot, ['coral', 'white'], 18)
      if (outcome.result === 'miss') sounds.miss()
      else sounds.escape()
      navigator.vibrate?.([40, 40, 60])
      if (!prefersLessMotion()) arena.current?.animate(shake, { duration: 380, easing: 'ease-out' })
    }
    if (outcome.level_cleared) {
      setTimeout(sounds.level, 260)
      effects.current?.confetti()
    }
  }, [outcome, combo])
}

const shake: Keyframe[] = [0, -9, 8, -6, 5, -2, 0].map((x) => ({ translate: `${x}px ${x / 3}px` }))
