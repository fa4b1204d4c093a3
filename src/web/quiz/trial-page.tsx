import './lobby.css'
import { RotateCcw } from 'lucide-react'
import { useCallback, useState } from 'react'
import { type QuizGame, quiz } from '../../protocol/quiz.ts'
import { notify } from '../../ui/toast.tsx'
import { type CallError, call } from '../shared/api/api.ts'
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

/** The quiz game for visitors without an account. The server deals and judges it like any other. */
export function QuizTrialPage() {
  const [screen, setScreen] = useState<Screen>({ name: 'lobby' })
  const [busy, setBusy] = useState(false)

  const enter = async (load: () => Promise<{ pass: string; game: QuizGame }>) => {
    setBusy(true)
    try {
      const { pass, game } = await load()
      changeTrial({ open: pass })
      setScreen({ name: 'arena', pass, session: createSession(game, guestMovesOf(pass)) })
    } catch (error) {
      changeTrial({ open: undefined })
      notify.error((error as CallError).message)
    }
    setBusy(false)
  }
  const start = () => enter(() => call(quiz.guestStart, {}))
  const resume = (pass: string) => enter(async () => ({ pass, ...(await guestMovesOf(pass).show()) }))
  const pass = screen.name === 'arena' ? screen.pass : ''
  const onOver = useCallback(
    (game: QuizGame) => {
      const { best } = readTrial()
      const isBest = game.score > (best?.score ?? 0)
      changeTrial({ open: undefined, ...(isBest && { best: { pass, score: game.score } }) })
      setScreen({ name: 'results', game })
    },
    [pass],
  )

  if (screen.name === 'arena') return <Arena session={screen.session} onOver={onOver} />
  return (
    <TrialFrame current="/play/quiz">
      {screen.name === 'results' ? (
        <ResultCard game={screen.game}>
          <KeepLink variant="lime" size="l" />
          <button type="button" className="arena-quiet-button" disabled={busy} onClick={start}>
            <RotateCcw size={18} aria-hidden="true" />
            Play again
          </button>
        </ResultCard>
      ) : (
        <Lobby busy={busy} onStart={start} onResume={resume} />
      )}
    </TrialFrame>
  )
}

type LobbyProps = { busy: boolean; onStart: () => void; onResume: (pass: string) => void }

function Lobby({ busy, onStart, onResume }: LobbyProps) {
  const { open, best } = useTrial()
  return (
    <section className="lobby-hero">
      <HeroScene />
      <div className="lobby-hero-text">
        <h1>Aim Well</h1>
        <p>
          Four answers drift by. One is right. Shoot it before they escape.{' '}
          {best
            ? `Your best: ${best.score.toLocaleString('en')} points.`
            : 'No sign-up: if you like your score, keep it later.'}
        </p>
        <PlayButtons busy={busy} onStart={onStart} {...(open && { onResume: () => onResume(open) })} />
      </div>
    </section>
  )
}
