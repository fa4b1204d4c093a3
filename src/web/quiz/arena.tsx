import './arena.css'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { QuizGame } from '../../protocol/quiz.ts'
import { type QuizPower, quizRules } from '../../protocol/quiz-engine.ts'
import { useMute } from '../../ui/sound.ts'
import { Board } from './board.tsx'
import { Dock } from './dock.tsx'
import { Hud } from './hud.tsx'
import { Interlude } from './interlude.tsx'
import { aimAt, useKeys } from './keys.ts'
import { LostScreen, PauseScreen } from './screens.tsx'
import type { Session } from './session.ts'
import { sounds } from './sound.ts'
import { useStage } from './stage.ts'
import { fire, useFeedback } from './use-feedback.ts'
import { Verdict } from './verdict.tsx'

/** The full-screen game, from the countdown to the last shot. */
export function Arena({ session, onOver }: { session: Session; onOver: (game: QuizGame) => void }) {
  const state = useSyncExternalStore(session.subscribe, session.read)
  const stage = useStage(session)
  const { leaving, halt, resume } = useHalt(session)
  const { muted, mute } = useMute()
  const { game, phase } = state
  useFeedback(state, stage)
  useFullScreen(stage.arena)
  useEffect(() => {
    if (phase === 'over') onOver(game)
  }, [phase, game, onOver])
  usePauseWhenHidden(session)

  const power = async (name: QuizPower) => {
    if (await session.spendPower(name)) sounds.power()
  }
  const halted = leaving || phase === 'paused'
  useKeys(
    {
      shoot: (slot) => fire(session, stage, slot, quizRules.keyAim),
      aim: (direction) => aimAt(stage.targets.current, direction),
      power,
      pause: () => (halted ? resume() : halt()),
      mute,
    },
    phase !== 'lost',
  )

  return (
    <dialog
      ref={stage.arena}
      className="arena"
      aria-label="Quiz"
      data-level={game.level}
      data-slow={game.question?.slowed_at_ms !== null && game.question !== null}
      onCancel={(event) => {
        event.preventDefault()
        if (halted) resume()
        else halt()
      }}
    >
      <Scenery />
      <div className="arena-body">
        <Hud game={game} muted={muted} onMute={mute} onLeave={halt} />
        <Board state={state} stage={stage} onShoot={(slot, aim) => fire(session, stage, slot, aim)} />
        <Dock game={game} phase={phase} stage={stage} onPower={power} onPause={halt} />
      </div>
      <canvas ref={stage.canvas} className="arena-canvas" />
      {phase === 'between' && <Interlude key={game.dealt} state={state} onDone={session.deal} />}
      {phase === 'judged' && !leaving && <Verdict key={game.dealt} game={game} onGoOn={session.goOn} />}
      {halted && (
        <PauseScreen
          game={game}
          running={phase === 'aiming' && game.pauses_left === 0}
          onResume={resume}
          onEnd={session.stop}
        />
      )}
      {phase === 'lost' && <LostScreen onRetry={session.catchUp} />}
    </dialog>
  )
}

/** The background: a sky from dawn to night, and hills that scroll faster with every level. */
function Scenery() {
  return (
    <div className="arena-scenery" aria-hidden="true">
      <div className="arena-sky" />
      <div className="arena-sun" />
      <div className="arena-hills arena-hills-far" />
      <div className="arena-hills arena-hills-near" />
    </div>
  )
}

/** The pause screen. It opens even when no pauses are left; the question then continues behind it. */
function useHalt(session: Session) {
  const [leaving, setLeaving] = useState(false)
  const halt = () => {
    void session.pause()
    setLeaving(true)
  }
  const resume = () => {
    setLeaving(false)
    if (session.read().phase === 'paused') session.resume()
  }
  return { leaving, halt, resume }
}

function useFullScreen(arena: { current: HTMLDialogElement | null }): void {
  useEffect(() => {
    const dialog = arena.current
    if (dialog && !dialog.open) dialog.showModal()
    document.body.style.overflow = 'hidden'
    return () => {
      document.body.style.overflow = ''
      dialog?.close()
    }
  }, [arena])
}

/** Pauses the game when the tab is hidden, so the player loses no life while pauses are left. */
function usePauseWhenHidden(session: Session): void {
  useEffect(() => {
    const onChange = () => {
      if (document.hidden) void session.pause()
    }
    document.addEventListener('visibilitychange', onChange)
    return () => document.removeEventListener('visibilitychange', onChange)
  }, [session])
}
