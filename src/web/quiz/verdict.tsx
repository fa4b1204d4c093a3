import { ChevronRight, Crosshair, Heart, Shield, Sparkles } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import type { QuizGame } from '../../protocol/quiz.ts'
import { prefersLessMotion } from '../../ui/theme.ts'
import { powerLooks } from './dock.tsx'

const HIT_MS = 3_200
const MISS_MS = 6_500
/** From this aim on, a hit is called a bullseye. */
const BULLSEYE = 75

const cheers = ['Spot on!', 'Exactly!', 'Nicely done!', 'Right on target!', 'You know this!']

/** The outcome of a shot, with a short explanation. Continues after a few seconds, or when pressed. */
export function Verdict({ game, onGoOn }: { game: QuizGame; onGoOn: () => void }) {
  const { outcome } = game
  const button = useRef<HTMLButtonElement>(null)
  const kept = useRef(onGoOn)
  kept.current = onGoOn
  const isHit = outcome?.result === 'hit'
  const waitMs = isHit ? HIT_MS : MISS_MS
  useEffect(() => {
    button.current?.focus({ preventScroll: true })
    // No auto-advance for users who prefer reduced motion: they get as much time as they need.
    if (prefersLessMotion()) return
    const timer = setTimeout(() => kept.current(), waitMs)
    return () => clearTimeout(timer)
  }, [waitMs])
  if (!outcome) return null
  const isBullseye = isHit && outcome.aim >= BULLSEYE
  const title = isBullseye
    ? 'Bullseye!'
    : isHit
      ? cheers[outcome.question % cheers.length]
      : outcome.result === 'miss'
        ? 'Not quite'
        : 'They got away'
  return (
    <section className="arena-verdict" data-result={outcome.result} aria-live="assertive">
      <div className="arena-verdict-text">
        <p className="arena-verdict-title">
          {title}
          {isHit ? <strong>+{outcome.gained}</strong> : <span>It’s “{outcome.right_text}”</span>}
        </p>
        <p>{outcome.explanation}</p>
        <Extras outcome={outcome} />
      </div>
      <button ref={button} type="button" className="arena-go-on" onClick={onGoOn}>
        <span className="arena-go-on-bar" style={{ animationDuration: `${waitMs}ms` }} />
        <span>{game.end ? 'Results' : 'Next'}</span>
        <ChevronRight size={20} aria-hidden="true" />
      </button>
    </section>
  )
}

function Extras({ outcome }: { outcome: NonNullable<QuizGame['outcome']> }) {
  const power = outcome.power && powerLooks[outcome.power]
  const items: { id: string; icon: ReactNode; text: string }[] = []
  if (outcome.result === 'hit' && outcome.aim > 0)
    items.push({ id: 'aim', icon: <Crosshair size={15} />, text: `Aim ${outcome.aim}%` })
  if (power) items.push({ id: 'power', icon: <power.icon size={15} />, text: `${power.label} earned` })
  if (outcome.bonus > 0) items.push({ id: 'bonus', icon: <Sparkles size={15} />, text: `Bonus +${outcome.bonus}` })
  if (outcome.life_gained) items.push({ id: 'life', icon: <Heart size={15} />, text: 'Clean level: one life back' })
  if (outcome.shield_used) items.push({ id: 'shield', icon: <Shield size={15} />, text: 'Your shield held' })
  if (items.length === 0) return null
  return (
    <ul className="arena-extras">
      {items.map(({ id, icon, text }) => (
        <li key={id}>
          {icon}
          {text}
        </li>
      ))}
    </ul>
  )
}
