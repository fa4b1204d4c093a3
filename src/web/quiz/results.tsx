import './lobby.css'
import { Flame, Heart, RotateCcw, Sparkles, Target, Trophy } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import type { QuizGame } from '../../protocol/quiz.ts'
import { quizRules } from '../../protocol/quiz-engine.ts'
import { AnimatedNumber } from '../../ui/animated-number.tsx'
import { Button } from '../../ui/button.tsx'
import { celebrate } from '../../ui/celebration.ts'
import { Rings } from '../../ui/ring.tsx'
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
  const accuracy = game.resolved === 0 ? 0 : game.hits / game.resolved
  return (
    <section className="results" aria-label="Results">
      <div className="results-rings">
        <Rings
          size={232}
          stroke={20}
          rings={[
            { value: accuracy, tone: 'lime', label: 'Accuracy' },
            { value: game.resolved / game.questions, tone: 'sky', label: 'Progress through the levels' },
            { value: game.combo_best / 10, tone: 'coral', label: 'Best combo' },
          ]}
        />
        <p className="results-level">
          <span>{quizRules.levels[game.level - 1]?.name}</span>
          Level {game.level}
        </p>
      </div>
      <div className="results-text">
        <p className="results-head">{headline(game)}</p>
        <h1>
          <AnimatedNumber value={game.score} format={(value) => value.toLocaleString('en')} />
        </h1>
        <Badges result={result} />
        <dl className="results-figures">
          <Fact icon={<Target size={17} />} label="Hits" value={`${game.hits} of ${game.resolved}`} />
          <Fact icon={<Flame size={17} />} label="Best combo" value={String(game.combo_best)} />
          <Fact icon={<Heart size={17} />} label="Lives left" value={String(game.lives)} />
        </dl>
        <div className="lobby-hero-buttons">{children}</div>
      </div>
    </section>
  )
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
          Best {result.best.toLocaleString('en')}
        </li>
      )}
      {result.rank_today > 0 && <li>Rank {result.rank_today} today</li>}
    </ul>
  )
}

function Fact({ icon, label, value }: { icon: ReactNode; label: string; value: string }) {
  return (
    <div>
      <dt>
        {icon}
        {label}
      </dt>
      <dd>{value}</dd>
    </div>
  )
}
