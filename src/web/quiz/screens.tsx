import { Flag, Play, RotateCcw, WifiOff } from 'lucide-react'
import { useState } from 'react'
import { figureText } from '../../protocol/figures.ts'
import type { QuizGame } from '../../protocol/quiz.ts'
import { Button } from '../../ui/button.tsx'

type PauseScreenProps = { game: QuizGame; running: boolean; onResume: () => void; onEnd: () => Promise<void> }

export function PauseScreen({ game, running, onResume, onEnd }: PauseScreenProps) {
  const [ending, setEnding] = useState(false)
  const end = async () => {
    setEnding(true)
    await onEnd()
    setEnding(false)
  }
  return (
    <div className="arena-screen" role="alertdialog" aria-label="Paused">
      <div>
        <h2>{running ? 'Leave the game?' : 'Take a breath'}</h2>
        <p>
          {running
            ? 'You have no pauses left, so the clock is still running. '
            : `An open question is put back and your combo starts over. Pauses left: ${game.pauses_left}. `}
          If you end the game now, your {figureText(game.score)} points count.
        </p>
        <div className="arena-screen-buttons">
          <Button
            variant="lime"
            size="l"
            wide
            autoFocus
            onClick={onResume}
            icon={<Play size={20} aria-hidden="true" />}
          >
            Keep playing
          </Button>
          <button type="button" className="arena-quiet-button" onClick={end} disabled={ending}>
            <Flag size={18} aria-hidden="true" />
            End game
          </button>
        </div>
      </div>
    </div>
  )
}

export function LostScreen({ onRetry }: { onRetry: () => Promise<void> }) {
  const [busy, setBusy] = useState(false)
  const retry = async () => {
    setBusy(true)
    await onRetry()
    setBusy(false)
  }
  return (
    <div className="arena-screen" role="alertdialog" aria-label="Connection lost">
      <div>
        <WifiOff size={40} aria-hidden="true" />
        <h2>No answer from the server</h2>
        <p>Your score is safe there. Check your connection, then continue where you left off.</p>
        <Button
          variant="lime"
          size="l"
          wide
          busy={busy}
          onClick={retry}
          icon={<RotateCcw size={20} aria-hidden="true" />}
        >
          Try again
        </Button>
      </div>
    </div>
  )
}
