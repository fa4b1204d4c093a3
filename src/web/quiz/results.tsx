import './lobby.css'
import { RotateCcw, Sparkles, Swords, Trophy } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { figureText } from '../../protocol/figures.ts'
import type { QuizGame } from '../../protocol/quiz.ts'
import { quizRules } from '../../protocol/quiz-engine.ts'
import { AnimatedNumber } from '../../ui/animated-number.tsx'
import { Button } from '../../ui/button.tsx'
import { celebrate } from '../../ui/celebration.ts'
import { Rings } from '../../ui/ring.tsx'
import { ShareButton } from '../shared/share/share-button.tsx'
import { Leaderboard } from './leaderboard.tsx'
import { sounds } from './sound.ts'

type ResultsProps = { game: QuizGame; busy: boolean; onAgain: () => void; onLobby: () => void }

export function Results({ game, busy, onAgain, onLobby }: ResultsProps) {
  return (
    <div className="grid gap-6">
      <ResultCard game={game}>
        <Button variant="lime" size="l" busy={busy} onClick={onAgain} icon={<RotateCcw size={20} aria-hidden="true" />}>
          Play again
        </Button>
        {game.score > 0 && (
          <ShareButton what={{ kind: 'quiz', game: game.gameId }}>
            {(open, sharing) => (
              <button type="button" className="arena-quiet-button" disabled={sharing} onClick={open}>
                <Swords size={18} aria-hidden="true" />
                Challenge a friend
              </button>
            )}
          </ShareButton>
        )}
        <button type="button" className="arena-quiet-button" onClick={onLobby}>
          Back to the lobby
        </button>
      </ResultCard>
      <Leaderboard />
    </div>
  )
}

/** How the game went, and below it what to do next. */
export function ResultCard({ game, children }: { game: QuizGame; children: ReactNode }) {
  const { result } = game
  const isBest = result?.is_best ?? false
  useEffect(() => {
    if (!isBest) return sounds.over()
    sounds.level()
    celebrate()
  }, [isBest])
  const rings = ringsOf(game)
  return (
    <section className="results" aria-label="Results">
      <div className="results-rings">
        <Rings size={232} stroke={20} rings={rings} />
        <p className="results-level">
          <span>{quizRules.levels[game.level - 1]?.name}</span>
          Level {game.level}
        </p>
      </div>
      <div className="results-text">
        <p className="results-head">{headline(game)}</p>
        <h1>
          <AnimatedNumber value={game.score} format={figureText} />
        </h1>
        <Badges result={result} />
        <dl className="results-figures">
          {rings.map(({ tone, label, text }) => (
            <div key={label}>
              <dt>
                <i className="results-dot" data-tone={tone} />
                {label}
              </dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <p className="results-next">{nextGoal(game)}</p>
        <div className="lobby-hero-buttons">{children}</div>
      </div>
    </section>
  )
}

/** The combo from which on a hit is worth the most. */
const COMBO_FULL = quizRules.multipliers[0].combo

type ShownRing = { tone: 'lime' | 'sky' | 'coral'; label: string; value: number; text: string }

/** What the three rings show, from the outside in, with the text of the legend. */
const ringsOf = ({ hits, resolved, questions, combo_best }: QuizGame): ShownRing[] => [
  { tone: 'lime', label: 'Hits', value: resolved === 0 ? 0 : hits / resolved, text: `${hits} of ${resolved}` },
  { tone: 'sky', label: 'Questions', value: resolved / questions, text: `${resolved} of ${questions}` },
  { tone: 'coral', label: 'Best combo', value: combo_best / COMBO_FULL, text: `${combo_best} in a row` },
]

/** One thing to try in the next game. */
function nextGoal({ level, end, hits, resolved, combo_best, lives }: QuizGame): string {
  const { levels, multipliers, lifePoints, livesMax, aimPointsMax } = quizRules
  if (end === 'completed' && hits === resolved)
    return `Nothing missed. Now shoot sooner and aim for the middle: that’s up to ${aimPointsMax} points more for every hit.`
  if (end === 'completed' && lives < livesMax)
    return `Next time, keep all your lives: each is worth ${lifePoints} points.`
  const step = multipliers.findLast(({ combo }) => combo > combo_best)
  if (step && hits > 0) return `Next goal: ${step.combo} hits in a row. From then on, each hit counts ×${step.times}.`
  const next = levels[Math.min(level, levels.length - 1)]
  return `Next goal: reach the level ${next?.name}. Fifty-fifty takes two wrong answers away.`
}

function headline({ end, hits, resolved }: QuizGame): string {
  if (end === 'completed')
    return hits === resolved ? 'A perfect run, all the way to the end' : 'All the way to the end!'
  if (end === 'expired') return 'This game timed out'
  return hits >= 10 ? 'Strong run' : 'Warm-up done'
}

function Badges({ result }: { result: QuizGame['result'] }) {
  if (!result) return null
  const points = result.points > 0 ? `+${result.points} experience points` : 'You’ve earned all of today’s points'
  return (
    <ul className="arena-extras">
      <li>
        <Sparkles size={15} aria-hidden="true" />
        {points}
      </li>
      {result.is_best ? (
        <li data-best>
          <Trophy size={15} aria-hidden="true" />
          New personal best
        </li>
      ) : (
        <li>
          <Trophy size={15} aria-hidden="true" />
          Best {figureText(result.best)}
        </li>
      )}
      {result.rank_today > 0 && <li>Rank {result.rank_today} today</li>}
    </ul>
  )
}
