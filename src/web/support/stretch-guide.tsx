import { Pause, Play, SkipForward } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { celebrate } from '../../ui/celebration.ts'
import { cssVariables } from '../../ui/css-variables.ts'
import { Ring } from '../../ui/ring.tsx'
import { Room } from '../shared/page/room.tsx'
import { StretchFigure } from './stretch-figure.tsx'
import type { Routine, Stretch } from './stretches.ts'

const TICK_MS = 250

/** Runs a routine stretch by stretch, each with a timer. The user can pause or skip. */
export function StretchGuide({ routine, onClose }: { routine: Routine; onClose: () => void }) {
  const { stretch, index, elapsedMs, paused, setPaused, next } = useRoutine(routine)
  const note = stretch ? `${index + 1} of ${routine.stretches.length}` : 'Done'
  return (
    <Room title={routine.title} note={note} onClose={onClose}>
      {stretch ? (
        <Running stretch={stretch} elapsedMs={elapsedMs} paused={paused} onPause={setPaused} onNext={next} />
      ) : (
        <Finished onClose={onClose} />
      )}
    </Room>
  )
}

type RunningProps = {
  stretch: Stretch
  elapsedMs: number
  paused: boolean
  onPause: (paused: boolean) => void
  onNext: () => void
}

function Running({ stretch, elapsedMs, paused, onPause, onNext }: RunningProps) {
  return (
    <>
      <div className="grid content-center justify-items-center gap-6 text-center">
        <span style={cssVariables({ '--track': 'var(--panel-line)' })}>
          <Ring
            value={elapsedMs / (stretch.seconds * 1_000)}
            size={316}
            stroke={6}
            tone="lime"
            label={`Progress of ${stretch.title}`}
          >
            <StretchFigure pose={stretch.pose} moving={!paused} size={250} />
          </Ring>
        </span>
        <div className="grid max-w-sm gap-1.5" aria-live="polite">
          <p className="font-display text-3xl">{stretch.title}</p>
          <p className="text-on-panel-soft">{stretch.text}</p>
        </div>
      </div>
      <div className="grid grid-cols-2 gap-3">
        <Button
          variant="lime"
          size="l"
          icon={paused ? <Play size={18} aria-hidden="true" /> : <Pause size={18} aria-hidden="true" />}
          onClick={() => onPause(!paused)}
        >
          {paused ? 'Resume' : 'Pause'}
        </Button>
        <Button
          size="l"
          className="bg-panel-line! text-on-panel! hover:brightness-110"
          icon={<SkipForward size={18} aria-hidden="true" />}
          onClick={onNext}
        >
          Next
        </Button>
      </div>
    </>
  )
}

function Finished({ onClose }: { onClose: () => void }) {
  useEffect(() => celebrate(), [])
  return (
    <>
      <div className="grid content-center justify-items-center gap-5 text-center">
        <Ring value={1} size={200} stroke={14} tone="lime" label="All stretches done">
          <span className="font-display text-3xl">Lovely</span>
        </Ring>
        <p className="max-w-xs text-lg text-on-panel-soft">Feel the difference? Come back whenever you like.</p>
      </div>
      <Button variant="lime" size="l" onClick={onClose}>
        Done
      </Button>
    </>
  )
}

function useRoutine(routine: Routine) {
  const [place, setPlace] = useState({ index: 0, elapsedMs: 0 })
  const [paused, setPaused] = useState(false)
  const stretch = routine.stretches[place.index]
  useEffect(() => {
    if (paused || !stretch) return
    let last = performance.now()
    const timer = setInterval(() => {
      const now = performance.now()
      const passed = now - last
      last = now
      setPlace(({ index, elapsedMs }) =>
        elapsedMs + passed >= stretch.seconds * 1_000
          ? { index: index + 1, elapsedMs: 0 }
          : { index, elapsedMs: elapsedMs + passed },
      )
    }, TICK_MS)
    return () => clearInterval(timer)
  }, [paused, stretch])
  const next = () => setPlace(({ index }) => ({ index: index + 1, elapsedMs: 0 }))
  return { ...place, stretch, paused, setPaused, next }
}
