import { useEffect, useRef, useState } from 'react'
import type { Id } from '../../../protocol/ids.ts'
import { type Gain, type WellnessToday, wellness } from '../../../protocol/wellness.ts'
import { breathAt, EXERCISES, type ExerciseId, getExercise, type Phase } from '../../../protocol/wellness-breathing.ts'
import { Button } from '../../../ui/button.tsx'
import { notify } from '../../../ui/toast.tsx'
import { CallError, call } from '../api/api.ts'
import { Room } from '../page/room.tsx'
import { BreathingOrb } from './orb.tsx'

type Reply = { gain: Gain; data: WellnessToday; Msg: string }
type GuideProps = { suggested: ExerciseId; onClose: () => void; onDone: (reply: Reply) => void }
type Session = { id: Id<'breathing'>; exercise: ExerciseId; startedMs: number }

/** A full-screen guide: choose an exercise and follow the animation. The server counts it when the time is up. */
export function BreathingGuide({ suggested, onClose, onDone }: GuideProps) {
  const [exercise, setExercise] = useState(suggested)
  const [session, setSession] = useState<Session>()
  const [starting, setStarting] = useState(false)

  async function start(): Promise<void> {
    setStarting(true)
    try {
      const { breathing_id } = await call(wellness.breathe, { exercise })
      setSession({ id: breathing_id, exercise, startedMs: performance.now() })
    } catch (error) {
      notify.error((error as Error).message)
    }
    setStarting(false)
  }

  return (
    <Room onClose={onClose} title={session ? getExercise(session.exercise).title : 'Take a breath'}>
      {session ? (
        <Breathing session={session} onDone={onDone} onLost={() => setSession(undefined)} />
      ) : (
        <Picker selected={exercise} onSelect={setExercise} onStart={start} busy={starting} />
      )}
    </Room>
  )
}

type PickerProps = { selected: ExerciseId; onSelect: (id: ExerciseId) => void; onStart: () => void; busy: boolean }

function Picker({ selected, onSelect, onStart, busy }: PickerProps) {
  return (
    <div className="row-span-2 grid content-between gap-6 pt-2">
      <fieldset className="grid gap-2.5">
        <legend className="mb-3 text-on-panel-soft">Sit comfortably and choose an exercise.</legend>
        {EXERCISES.map(({ id, title, text, lengthSeconds }) => (
          <label
            key={id}
            className="relative flex cursor-pointer items-center gap-4 rounded-inner border border-panel-line px-4 py-3 transition has-checked:border-lime has-checked:bg-panel-line has-focus-visible:outline-2 has-focus-visible:outline-lime"
          >
            <input
              type="radio"
              name="exercise"
              value={id}
              checked={id === selected}
              onChange={() => onSelect(id)}
              className="size-5 shrink-0 accent-lime"
            />
            <span className="grid grow leading-snug">
              <span className="font-semibold">{title}</span>
              <span className="text-on-panel-soft text-sm">{text}</span>
            </span>
            <span className="figures shrink-0 text-on-panel-soft text-sm">{Math.round(lengthSeconds / 60)} min</span>
          </label>
        ))}
      </fieldset>
      <Button variant="lime" size="l" wide busy={busy} onClick={onStart}>
        Begin
      </Button>
    </div>
  )
}

const phaseWords: Record<Phase, string> = { in: 'Breathe in', hold: 'Hold', out: 'Breathe out', rest: 'Rest' }

type BreathingProps = { session: Session; onDone: (reply: Reply) => void; onLost: () => void }

function Breathing({ session, onDone, onLost }: BreathingProps) {
  const exercise = getExercise(session.exercise)
  const totalMs = exercise.lengthSeconds * 1_000
  const elapsedMs = useElapsed(session.startedMs, totalMs)
  const isOver = elapsedMs >= totalMs
  const callbacks = useRef({ onDone, onLost })
  callbacks.current = { onDone, onLost }
  useEffect(() => {
    if (!isOver) return
    finish(session.id).then(
      (reply) => callbacks.current.onDone(reply),
      (error: Error) => {
        notify.error(error.message)
        callbacks.current.onLost()
      },
    )
  }, [isOver, session.id])
  const { phase, secondsLeft } = breathAt(exercise, elapsedMs)
  const left = Math.max(0, Math.ceil((totalMs - elapsedMs) / 1_000))
  return (
    <div className="row-span-2 grid grid-rows-[1fr_auto] items-center justify-items-center gap-6">
      <BreathingOrb exercise={exercise} startedMs={session.startedMs} share={Math.min(1, elapsedMs / totalMs)}>
        <span className="font-display text-3xl" aria-live="polite">
          {isOver ? 'Well done' : phaseWords[phase]}
        </span>
        {!isOver && <span className="figures text-on-panel-soft text-xl">{secondsLeft}</span>}
      </BreathingOrb>
      <p role="timer" className="figures text-lg text-on-panel-soft">
        {isOver ? 'Saving…' : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')} to go`}
      </p>
    </div>
  )
}

/** Elapsed time, updated ten times a second. The animation runs separately, frame by frame. */
function useElapsed(startedMs: number, totalMs: number): number {
  const [elapsedMs, setElapsedMs] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => {
      const next = performance.now() - startedMs
      setElapsedMs(next)
      if (next >= totalMs) clearInterval(timer)
    }, 100)
    return () => clearInterval(timer)
  }, [startedMs, totalMs])
  return elapsedMs
}

const TRIES_MAX = 5

/** The server's clock decides. If ours is ahead of it, the call fails with `too_early`, so retry a second later. */
async function finish(breathing_id: Id<'breathing'>): Promise<Reply> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call(wellness.finishBreathing, { breathing_id })
    } catch (error) {
      const isEarly = error instanceof CallError && error.code === 'too_early'
      if (!isEarly || attempt >= TRIES_MAX) throw error
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
  }
}
