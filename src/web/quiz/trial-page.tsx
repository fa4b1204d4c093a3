import './lobby.css'
import { RotateCcw } from 'lucide-react'
import { useCallback, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { figureText } from '../../protocol/figures.ts'
import { type QuizGame, quiz } from '../../protocol/quiz.ts'
import { shares, shareToken } from '../../protocol/shares.ts'
import { buttonClass } from '../../ui/button.tsx'
import { notify } from '../../ui/toast.tsx'
import { type CallError, call, useRead } from '../shared/api/api.ts'
import { changeTrial, readTrial, useTrial } from '../shared/trial/trial.ts'
import { KeepLink, TrialFrame } from '../shared/trial/trial-frame.tsx'
import { Arena } from './arena.tsx'
import { HeroScene, PlayButtons } from './lobby.tsx'
import { guestMovesOf } from './moves.ts'
import { ResultCard } from './results.tsx'
import { createSession, type Session } from './session.ts'

type Screen =
  | { name: 'lobby' }
  | { name: 'arena'; session: Session; pass: string }
  | { name: 'results'; game: QuizGame }

type Rival = { username: string; score: number }

/** The friend whose questions are played, by the link in the address. */
function useDuel(): { token: string | undefined; rival: Rival | undefined } {
  const token = shareToken.safeParse(useSearchParams()[0].get('duel')).data
  const { data } = useRead(shares.show, { token: token ?? '' }, { enabled: token !== undefined })
  const score = data?.figures.kind === 'quiz' ? data.figures.score : undefined
  return { token, rival: data && score !== undefined ? { username: data.username, score } : undefined }
}

/** The quiz game for visitors without an account. The server deals and judges it like any other. */
export function QuizTrialPage() {
  const [screen, setScreen] = useState<Screen>({ name: 'lobby' })
  const [busy, setBusy] = useState(false)
  const { token, rival } = useDuel()

  const enter = async (load: () => Promise<{ pass: string; game: QuizGame }>) => {
    setBusy(true)
    try {
      const { pass, game } = await load()
      // A duel cannot be kept, so it is not stored either.
      if (!token) changeTrial({ open: pass })
      setScreen({ name: 'arena', pass, session: createSession(game, guestMovesOf(pass)) })
    } catch (error) {
      if (!token) changeTrial({ open: undefined })
      notify.error((error as CallError).message)
    }
    setBusy(false)
  }
  const start = () => enter(() => (token ? call(shares.duel, { token }) : call(quiz.guestStart, {})))
  const resume = (pass: string) => enter(async () => ({ pass, ...(await guestMovesOf(pass).show()) }))
  const pass = screen.name === 'arena' ? screen.pass : ''
  const onOver = useCallback(
    (game: QuizGame) => {
      if (!token) rememberGame(pass, game.score)
      setScreen({ name: 'results', game })
    },
    [pass, token],
  )

  if (screen.name === 'arena') return <Arena session={screen.session} onOver={onOver} />
  return (
    <TrialFrame current="/play/quiz">
      {screen.name === 'results' ? (
        <ResultCard game={screen.game}>
          {rival ? <DuelVerdict score={screen.game.score} rival={rival} /> : <KeepLink variant="lime" size="l" />}
          <button type="button" className="arena-quiet-button" disabled={busy} onClick={start}>
            <RotateCcw size={18} aria-hidden="true" />
            {rival ? 'Try the same questions again' : 'Play again'}
          </button>
        </ResultCard>
      ) : (
        <Lobby busy={busy} rival={rival} onStart={start} {...(!token && { onResume: resume })} />
      )}
    </TrialFrame>
  )
}

function rememberGame(pass: string, score: number): void {
  const isBest = score > (readTrial().best?.score ?? 0)
  changeTrial({ open: undefined, ...(isBest && { best: { pass, score } }) })
}

/** Who won, and the way to a game of one's own. */
function DuelVerdict({ score, rival }: { score: number; rival: Rival }) {
  const theirs = figureText(rival.score)
  const words =
    score > rival.score
      ? `You beat ${rival.username}, who has ${theirs}.`
      : score === rival.score
        ? `A draw: ${rival.username} has ${theirs}, too.`
        : `${rival.username} keeps the lead with ${theirs}.`
  return (
    <div className="grid gap-3" role="status">
      <p className="font-semibold text-lg">{words}</p>
      <Link to="/play/quiz" className={buttonClass({ variant: 'lime', size: 'l' })} reloadDocument>
        Play new questions
      </Link>
    </div>
  )
}

type LobbyProps = {
  busy: boolean
  rival: Rival | undefined
  onStart: () => void
  onResume?: (pass: string) => void
}

function Lobby({ busy, rival, onStart, onResume }: LobbyProps) {
  const { open, best } = useTrial()
  return (
    <section className="lobby-hero">
      <HeroScene />
      <div className="lobby-hero-text">
        <h1>{rival ? `Beat ${figureText(rival.score)}` : 'Quiz'}</h1>
        <p>
          Four answers drift by. One is right. Shoot it before they escape.{' '}
          {rival
            ? `The same questions that ${rival.username} had. No sign-up.`
            : best
              ? `Your best: ${figureText(best.score)} points.`
              : 'No sign-up: if you like your score, keep it later.'}
        </p>
        <PlayButtons busy={busy} onStart={onStart} {...(open && onResume && { onResume: () => onResume(open) })} />
      </div>
    </section>
  )
}
