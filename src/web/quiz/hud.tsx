import { Flame, Heart, Volume2, VolumeX, X } from 'lucide-react'
import { figureText } from '../../protocol/figures.ts'
import type { QuizGame } from '../../protocol/quiz.ts'
import { multiplierOf, quizRules } from '../../protocol/quiz-engine.ts'
import { AnimatedNumber } from '../../ui/animated-number.tsx'

type HudProps = { game: QuizGame; muted: boolean; onMute: () => void; onLeave: () => void }

/** Lives, score, combo, and progress through the levels. */
export function Hud({ game, muted, onMute, onLeave }: HudProps) {
  const Sound = muted ? VolumeX : Volume2
  return (
    <header className="arena-hud">
      <div className="arena-hud-row">
        <Lives lives={game.lives} />
        <p className="arena-score">
          <span className="sr-only">Score </span>
          <AnimatedNumber value={game.score} format={figureText} />
        </p>
        <div className="arena-hud-buttons">
          <button
            type="button"
            onClick={onMute}
            aria-label={muted ? 'Turn sound on' : 'Turn sound off'}
            aria-pressed={muted}
          >
            <Sound size={20} aria-hidden="true" />
          </button>
          <button type="button" onClick={onLeave} aria-label="Leave the game">
            <X size={20} aria-hidden="true" />
          </button>
        </div>
      </div>
      <div className="arena-hud-row">
        <p className="arena-level">
          Level {game.level} <span>{quizRules.levels[game.level - 1]?.name}</span>
        </p>
        <LevelTrack resolved={game.resolved} />
        <Combo combo={game.combo} />
      </div>
    </header>
  )
}

function Lives({ lives }: { lives: number }) {
  return (
    <p className="arena-lives">
      <span className="sr-only">
        {lives} of {quizRules.livesMax} lives
      </span>
      {Array.from({ length: quizRules.livesMax }, (_, at) => at + 1).map((life) => (
        <Heart key={life} size={24} aria-hidden="true" data-lost={life > lives} />
      ))}
    </p>
  )
}

/** One segment per level, one step per question. */
function LevelTrack({ resolved }: { resolved: number }) {
  return (
    <div className="arena-track" aria-hidden="true">
      {quizRules.levels.map(({ name }, level) => {
        const done = Math.min(quizRules.questionsPerLevel, Math.max(0, resolved - level * quizRules.questionsPerLevel))
        return (
          <span key={name}>
            <span style={{ width: `${(done / quizRules.questionsPerLevel) * 100}%` }} />
          </span>
        )
      })}
    </div>
  )
}

function Combo({ combo }: { combo: number }) {
  const times = multiplierOf(combo)
  return (
    <p className="arena-combo" data-times={times} key={combo}>
      <Flame size={16} aria-hidden="true" />
      <span>{combo}</span>
      <span className="sr-only">hits in a row,</span>
      <strong>×{times}</strong>
    </p>
  )
}
