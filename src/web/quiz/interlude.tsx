import { useEffect, useRef, useState } from 'react'
import { quizRules } from '../../protocol/quiz-engine.ts'
import type { SessionState } from './session.ts'
import { sounds } from './sound.ts'

const COUNT_MS = 650
const LEVEL_MS = 1_500

/** Shown between two questions: a countdown, the name of a new level, or nothing. */
export function Interlude({ state, onDone }: { state: SessionState; onDone: () => void }) {
  const { interlude, game } = state
  const count = useCountdown(interlude, onDone)
  if (interlude === 'none') return null
  const level = quizRules.levels[game.level - 1]
  return (
    <div className="arena-interlude" role="status">
      <p className="arena-interlude-level">
        Level {game.level} · {level?.name}
      </p>
      {interlude === 'countdown' ? (
        <p className="arena-interlude-count" key={count}>
          {count === 0 ? 'Go!' : count}
        </p>
      ) : (
        <p className="arena-interlude-title">{level?.name}!</p>
      )}
      <p className="arena-interlude-note">
        {interlude === 'countdown'
          ? 'Shoot the right answer'
          : `Targets are faster: ${(level?.windowMs ?? 0) / 1000} s each`}
      </p>
    </div>
  )
}

function useCountdown(interlude: SessionState['interlude'], onDone: () => void): number {
  const [count, setCount] = useState(3)
  const done = useRef(onDone)
  done.current = onDone
  useEffect(() => {
    if (interlude === 'none') {
      done.current()
      return
    }
    if (interlude === 'level') {
      const timer = setTimeout(() => done.current(), LEVEL_MS)
      return () => clearTimeout(timer)
    }
    let left = 3
    sounds.count()
    const timer = setInterval(() => {
      left--
      if (left < 0) return done.current()
      setCount(left)
      if (left > 0) sounds.count()
      else sounds.go()
    }, COUNT_MS)
    return () => clearInterval(timer)
  }, [interlude])
  return count
}
