import { ChevronRight, Wind } from 'lucide-react'
import type { ReactNode } from 'react'
import { EXERCISES } from '../../protocol/wellness-breathing.ts'
import { Card } from '../../ui/card.tsx'
import { StretchFigure } from './stretch-figure.tsx'
import { ROUTINES, type Routine, secondsOf } from './stretches.ts'

const lengths = EXERCISES.map(({ lengthSeconds }) => Math.round(lengthSeconds / 60))

type GuidesProps = { onBreathe: () => void; onStretch: (routine: Routine) => void }

/** Opens the breathing guide and the stretching routines. */
export function Guides({ onBreathe, onStretch }: GuidesProps) {
  return (
    <Card className="grid gap-3" aria-label="Guides">
      <h2 className="text-xl">A few minutes for you</h2>
      <GuideButton
        title="Guided breathing"
        text={`${EXERCISES.length} ways to calm down. Closes your Mindfulness ring.`}
        minutes={`${Math.min(...lengths)} to ${Math.max(...lengths)} min`}
        onClick={onBreathe}
        picture={<Wind size={26} className="text-sky" />}
      />
      {ROUTINES.map((routine) => (
        <GuideButton
          key={routine.id}
          title={routine.title}
          text={routine.text}
          minutes={`${Math.ceil(secondsOf(routine) / 60)} min`}
          onClick={() => onStretch(routine)}
          picture={routine.stretches[0] && <StretchFigure pose={routine.stretches[0].pose} size={46} moving={false} />}
        />
      ))}
    </Card>
  )
}

type GuideButtonProps = { title: string; text: string; minutes: string; onClick: () => void; picture: ReactNode }

function GuideButton({ title, text, minutes, onClick, picture }: GuideButtonProps) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="group -mx-2 flex min-h-18 items-center gap-4 rounded-inner px-2 py-2 text-left transition hover:bg-sunken"
    >
      <span aria-hidden="true" className="grid size-14 shrink-0 place-items-center rounded-[18px] bg-panel">
        {picture}
      </span>
      <span className="grid grow leading-snug">
        <span className="font-semibold">{title}</span>
        <span className="text-soft text-sm">{text}</span>
        <span className="figures text-faint text-sm">{minutes}</span>
      </span>
      <ChevronRight
        size={20}
        aria-hidden="true"
        className="shrink-0 text-faint transition group-hover:translate-x-0.5"
      />
    </button>
  )
}
