import { Hourglass, type LucideIcon, Pause, Scissors, Shield } from 'lucide-react'
import type { QuizGame } from '../../protocol/quiz.ts'
import type { QuizPower } from '../../protocol/quiz-engine.ts'
import type { Phase } from './session.ts'
import type { Stage } from './stage.ts'

export const powerLooks: Record<QuizPower, { label: string; hint: string; key: string; icon: LucideIcon }> = {
  slow: { label: 'Slow time', hint: 'Half speed for this question', key: 'Q', icon: Hourglass },
  fifty: { label: 'Fifty-fifty', hint: 'Removes two wrong targets', key: 'W', icon: Scissors },
  shield: { label: 'Shield', hint: 'Your next mistake costs nothing', key: 'E', icon: Shield },
}

type DockProps = {
  game: QuizGame
  phase: Phase
  stage: Stage
  onPower: (power: QuizPower) => void
  onPause: () => void
}

/** Within reach of the thumbs: the launcher with the time left and the value of a shot, power-ups and pause. */
export function Dock({ game, phase, stage, onPower, onPause }: DockProps) {
  const button = (power: QuizPower) => (
    <PowerButton
      power={power}
      count={game.powers[power]}
      usable={phase === 'aiming' && isUsable(game, power)}
      onUse={onPower}
    />
  )
  const stuck = phase === 'aiming' && game.pauses_left === 0
  return (
    <footer className="arena-dock">
      <div className="arena-dock-side">
        {button('slow')}
        {button('fifty')}
      </div>
      <Launcher stage={stage} shielded={game.shielded} active={phase === 'aiming' || phase === 'firing'} />
      <div className="arena-dock-side">
        {button('shield')}
        <button type="button" className="arena-power" onClick={onPause} disabled={stuck}>
          <Pause size={22} aria-hidden="true" />
          <span className="sr-only">
            {stuck ? 'No pauses left. You can pause after this shot.' : `Pause, ${game.pauses_left} left`}
          </span>
          <span className="arena-key">P</span>
        </button>
      </div>
    </footer>
  )
}

function isUsable({ powers, question, shielded }: QuizGame, power: QuizPower): boolean {
  if (!question || powers[power] < 1) return false
  if (power === 'slow') return question.slowed_at_ms === null
  return power === 'fifty' ? question.removed.length === 0 : !shielded
}

type PowerButtonProps = { power: QuizPower; count: number; usable: boolean; onUse: (power: QuizPower) => void }

function PowerButton({ power, count, usable, onUse }: PowerButtonProps) {
  const { label, hint, key, icon: Icon } = powerLooks[power]
  return (
    <button
      type="button"
      className="arena-power"
      data-power={power}
      disabled={!usable}
      title={hint}
      onClick={() => onUse(power)}
    >
      <Icon size={22} aria-hidden="true" />
      <span className="sr-only">
        {label}: {hint}
      </span>
      <span className="arena-key">{key}</span>
      <span className="arena-power-count" data-none={count === 0}>
        {count}
        <span className="sr-only"> left</span>
      </span>
    </button>
  )
}

/** The brand's ring, rolling, with the remaining time around it. */
function Launcher({ stage, shielded, active }: { stage: Stage; shielded: boolean; active: boolean }) {
  return (
    <div ref={stage.launcher} className="arena-launcher" data-active={active} data-shielded={shielded}>
      <svg viewBox="0 0 120 120" aria-hidden="true">
        {shielded && <circle className="arena-shield" cx="60" cy="60" r="57" />}
        <circle className="arena-timer-track" cx="60" cy="60" r="50" />
        <circle
          ref={stage.timer}
          className="arena-timer"
          cx="60"
          cy="60"
          r="50"
          pathLength={1}
          strokeDasharray={1}
          transform="rotate(-90 60 60)"
        />
        <path className="arena-roll" d="M76 28.5A35 35 0 1 0 95 60" />
      </svg>
      <span className="arena-worth">
        <span ref={stage.worth}>{''}</span>
        <small>points</small>
      </span>
    </div>
  )
}
