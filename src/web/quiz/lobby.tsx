import './lobby.css'
import { Keyboard, Play, Pointer, RotateCcw, Trophy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { figureText } from '../../protocol/figures.ts'
import { type QuizGame, type QuizTopic, quiz, quizTopics } from '../../protocol/quiz.ts'
import { quizRules } from '../../protocol/quiz-engine.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Ring } from '../../ui/ring.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useRead } from '../shared/api/api.ts'
import { FailedRead } from '../shared/page/failed-read.tsx'
import { keepTrial } from '../shared/trial/trial.ts'
import { powerLooks } from './dock.tsx'
import { Leaderboard } from './leaderboard.tsx'
import { mixLook, topicLooks } from './topics.ts'

type LobbyProps = {
  busy: boolean
  onStart: (topic?: QuizTopic) => void
  onResume: (id: QuizGame['gameId']) => void
}

export function Lobby({ busy, onStart, onResume }: LobbyProps) {
  const [topic, setTopic] = useState<QuizTopic>()
  const overview = useRead(quiz.overview, {})
  const open = overview.data?.data.open_game
  useKeepTrial(overview.refetch)
  return (
    <div className="grid gap-6">
      <section className="lobby-hero">
        <HeroScene />
        <div className="lobby-hero-text">
          <h1>Quiz</h1>
          <p>Four answers drift by. One is right. Shoot it before they escape, and learn something with every shot.</p>
          <TopicChoice topic={topic} onChoose={setTopic} />
          <PlayButtons busy={busy} onStart={() => onStart(topic)} {...(open && { onResume: () => onResume(open) })} />
        </div>
      </section>
      {overview.isLoadingError ? (
        <FailedRead error={overview.error} onRetry={() => overview.refetch()} />
      ) : (
        <Figures data={overview.data?.data} />
      )}
      <div className="grid items-start gap-6 lg:grid-cols-[3fr_2fr]">
        <Leaderboard />
        <HowTo />
      </div>
    </div>
  )
}

/** Keeps a game that was played before signing up, if that failed at sign-in. */
function useKeepTrial(onKept: () => Promise<unknown>): void {
  useEffect(() => {
    void keepTrial().then((score) => score !== undefined && onKept())
  }, [onKept])
}

type PlayButtonsProps = { busy: boolean; onStart: () => void; onResume?: () => void }

export function PlayButtons({ busy, onStart, onResume }: PlayButtonsProps) {
  return (
    <div className="lobby-hero-buttons">
      <Button variant="lime" size="l" busy={busy} onClick={onStart} icon={<Play size={22} aria-hidden="true" />}>
        Play
      </Button>
      {onResume && (
        <button type="button" className="arena-quiet-button" disabled={busy} onClick={onResume}>
          <RotateCcw size={18} aria-hidden="true" />
          Resume your game
        </button>
      )}
    </div>
  )
}

type TopicChoiceProps = { topic: QuizTopic | undefined; onChoose: (topic: QuizTopic | undefined) => void }

function TopicChoice({ topic, onChoose }: TopicChoiceProps) {
  const choices = [undefined, ...quizTopics]
  return (
    <div className="lobby-topics" role="radiogroup" aria-label="Topic">
      {choices.map((choice) => {
        const { label, icon: Icon } = choice ? topicLooks[choice] : mixLook
        return (
          <label key={label} className="lobby-topic" data-topic={choice ?? 'mix'}>
            <input type="radio" name="topic" checked={choice === topic} onChange={() => onChoose(choice)} />
            <Icon size={17} aria-hidden="true" />
            {label}
          </label>
        )
      })}
    </div>
  )
}

type Overview = { best: number; games: number; points: number; points_left_today: number }

function Figures({ data }: { data: Overview | undefined }) {
  const today = data ? quizRules.pointsPerDayMax - data.points_left_today : 0
  return (
    <Card className="flex flex-wrap items-center gap-x-10 gap-y-5">
      <div className="flex items-center gap-4">
        <Ring
          value={today / quizRules.pointsPerDayMax}
          size={84}
          stroke={10}
          label={data && `${today} of ${quizRules.pointsPerDayMax} points today`}
        >
          {data ? <span className="figures font-semibold">{today}</span> : <Skeleton className="size-6" />}
        </Ring>
        <p className="max-w-44 text-soft text-sm">
          of {quizRules.pointsPerDayMax} experience points you can earn here each day
        </p>
      </div>
      <Figure label="Personal best" value={data?.best} icon />
      <Figure label="Games played" value={data?.games} />
      <Figure label="Points so far" value={data?.points} />
    </Card>
  )
}

function Figure({ label, value, icon = false }: { label: string; value: number | undefined; icon?: boolean }) {
  return (
    <div>
      <p className="flex items-center gap-1.5 text-faint text-sm">
        {icon && <Trophy size={15} aria-hidden="true" className="text-gold" />}
        {label}
      </p>
      {value === undefined ? (
        <Skeleton className="h-9 w-16" />
      ) : (
        <p className="figures font-display text-3xl">{figureText(value)}</p>
      )}
    </div>
  )
}

function HowTo() {
  return (
    <Card weight="quiet" className="grid gap-4">
      <h2 className="text-xl">How to play</h2>
      <ul className="grid gap-3 text-soft text-sm">
        <li className="flex gap-3">
          <Pointer size={18} aria-hidden="true" className="mt-0.5 shrink-0 text-leaf-ink" />
          Tap the right target, in its middle: good aim is worth up to {quizRules.aimPointsMax} points. Faster shots
          earn more, and hits in a row multiply your points by up to ×{quizRules.multipliers[0].times}.
        </li>
        <li className="flex gap-3">
          <Keyboard size={18} aria-hidden="true" className="mt-0.5 shrink-0 text-leaf-ink" />
          Keys: 1–{quizRules.options} to shoot, or arrows and space. They count as half-good aim. P to pause, M to mute.
        </li>
        {Object.values(powerLooks).map(({ label, hint, key, icon: Icon }) => (
          <li key={label} className="flex gap-3">
            <Icon size={18} aria-hidden="true" className="mt-0.5 shrink-0 text-leaf-ink" />
            <span>
              <strong className="text-ink">{label}</strong> ({key}): {hint.toLowerCase()}.
            </span>
          </li>
        ))}
      </ul>
      <p className="text-faint text-sm">
        {quizRules.levels.length} levels from {quizRules.levels[0].name} to {quizRules.levels.at(-1)?.name},{' '}
        {quizRules.livesMax} lives, no money. The server asks every question and scores every shot.
      </p>
    </Card>
  )
}

/** A picture of the game: the ring on the hills and four targets in the air. */
export function HeroScene() {
  return (
    <div className="lobby-scene" aria-hidden="true">
      {['leaf', 'sky', 'violet', 'gold'].map((tone) => (
        <span key={tone} className="lobby-bubble" data-tone={tone}>
          <i />
        </span>
      ))}
      <div className="arena-hills arena-hills-far" />
      <div className="arena-hills arena-hills-near" />
      <svg className="lobby-ring" viewBox="0 0 120 120" aria-hidden="true">
        <circle cx="60" cy="60" r="46" />
        <path className="arena-roll" d="M81 19A46 46 0 1 0 106 60" />
        <path className="lobby-play" d="M50 42 80 60 50 78Z" />
      </svg>
    </div>
  )
}
