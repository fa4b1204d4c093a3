import { Check, X } from 'lucide-react'
import { type PointerEvent, useState } from 'react'
import { quizRules } from '../../protocol/quiz-engine.ts'
import { cssVariables } from '../../ui/css-variables.ts'
import { palette } from './effects.ts'
import type { SessionState } from './session.ts'
import { sounds } from './sound.ts'
import type { Stage } from './stage.ts'
import { topicLooks } from './topics.ts'
import { slotColours } from './use-feedback.ts'

type Shoot = (slot: number, aim: number) => void
type BoardProps = { state: SessionState; stage: Stage; onShoot: Shoot }

/** The question and its four targets. The last question stays visible while its outcome is shown. */
export function Board({ state, stage, onShoot }: BoardProps) {
  const shown = useLastQuestion(state)
  const { outcome } = state.game
  const puff = (event: PointerEvent) => {
    if (event.target !== event.currentTarget || state.phase !== 'aiming') return
    const frame = stage.arena.current?.getBoundingClientRect()
    const at = { x: event.clientX - (frame?.left ?? 0), y: event.clientY - (frame?.top ?? 0) }
    stage.effects.current?.wave(at, 'white', 22, 2)
    sounds.puff()
  }
  return (
    <>
      <div className="arena-question" aria-live="polite">
        {shown && <QuestionCard topic={shown.topic} text={shown.text} key={shown.number} />}
      </div>
      <div ref={stage.board} className="arena-board" onPointerDown={puff}>
        {shown?.options.map((text, slot) => (
          <Target
            key={`${shown.number} ${text}`}
            text={text}
            slot={slot}
            look={lookOf(state, slot, shown.removed)}
            gained={outcome?.result === 'hit' && outcome.right === slot ? outcome.gained : undefined}
            onShoot={onShoot}
            hold={(element) => {
              stage.targets.current[slot] = element
            }}
          />
        ))}
      </div>
    </>
  )
}

/** The open question. After a shot, the answered question until the game continues. */
function useLastQuestion({ game, phase }: SessionState) {
  const [last, setLast] = useState(game.question)
  if (game.question && game.question !== last) setLast(game.question)
  if (game.question) return game.question
  return phase === 'judged' || phase === 'dealing' ? last : null
}

function QuestionCard({ topic, text }: { topic: keyof typeof topicLooks; text: string }) {
  const { label, icon: Icon } = topicLooks[topic]
  return (
    <div className="arena-card">
      <span className="arena-chip" data-topic={topic}>
        <Icon size={14} aria-hidden="true" />
        {label}
      </span>
      <h2>{text}</h2>
    </div>
  )
}

type Look = 'flying' | 'fired' | 'gone' | 'right' | 'wrong' | 'dim'
type TargetProps = {
  text: string
  slot: number
  look: Look
  gained: number | undefined
  onShoot: Shoot
  hold: (element: HTMLButtonElement | null) => void
}

function Target({ text, slot, look, gained, onShoot, hold }: TargetProps) {
  const colour = palette[slotColours[slot] ?? 'lime']
  return (
    <button
      type="button"
      ref={hold}
      className="arena-target"
      data-look={look}
      style={cssVariables({ '--own': colour })}
      disabled={look !== 'flying'}
      // Shoot on pointer down: a click would need the release on the same moving target.
      onPointerDown={(event) => {
        event.preventDefault()
        if (event.button === 0) onShoot(slot, aimOf(event))
      }}
      onClick={(event) => {
        if (event.detail === 0) onShoot(slot, quizRules.keyAim)
      }}
    >
      <span className="arena-bullseye">
        {look === 'right' ? (
          <Check size={16} strokeWidth={3.5} />
        ) : look === 'wrong' ? (
          <X size={16} strokeWidth={3.5} />
        ) : (
          slot + 1
        )}
      </span>
      <span className="arena-target-text">{text}</span>
      {gained !== undefined && (
        <span className="arena-gain" aria-hidden="true">
          +{gained}
        </span>
      )}
    </button>
  )
}

/** How near the pointer is to the middle of the target: 100 in the middle, 0 at its edge. */
function aimOf({ currentTarget, clientX, clientY }: PointerEvent): number {
  const { left, top, width, height } = currentTarget.getBoundingClientRect()
  const [across, down] = [(clientX - left) / width, (clientY - top) / height].map((part) => Math.abs(part * 2 - 1))
  return Math.round(100 * Math.max(0, 1 - Math.max(across ?? 1, down ?? 1)))
}

function lookOf({ phase, fired, game }: SessionState, slot: number, removed: number[]): Look {
  if (game.outcome) {
    if (slot === game.outcome.right) return 'right'
    if (slot === game.outcome.option) return 'wrong'
    return removed.includes(slot) ? 'gone' : 'dim'
  }
  if (removed.includes(slot)) return 'gone'
  if (phase === 'firing') return fired?.option === slot ? 'fired' : 'dim'
  return phase === 'aiming' ? 'flying' : 'dim'
}
