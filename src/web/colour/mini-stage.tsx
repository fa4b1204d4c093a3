import { createPortal } from 'react-dom'
import type { Round } from '../../protocol/colour.ts'
import { figureText } from '../../protocol/figures.ts'
import { Ring } from '../../ui/ring.tsx'
import { ColourMark, colourLook } from '../shared/draws/colour-mark.tsx'
import type { Clock } from './clock.ts'
import type { Phase } from './use-table.ts'

type MiniStageProps = { round: Round | undefined; phase: Phase; clock: Clock; onShow: () => void }

/** The round in one line at the top of the window, for a user who has scrolled the wheel away. A tap goes back to it. */
export function MiniStage({ round, phase, clock, onShow }: MiniStageProps) {
  const words = wordsOf(round, phase, clock)
  const drawn = phase === 'result' ? round?.color : undefined
  return createPortal(
    <button
      type="button"
      onClick={onShow}
      aria-label={`${words}. Show the wheel`}
      data-last={clock.isLast}
      className="fixed top-18 left-1/2 z-20 flex h-14 -translate-x-1/2 animate-pop items-center gap-3 whitespace-nowrap rounded-full bg-panel py-1 pr-5 pl-2 text-on-panel shadow-lift"
    >
      {drawn ? (
        <ColourMark colour={drawn} size={40} className="animate-pop" />
      ) : (
        <Ring value={clock.share} size={42} stroke={5} tone={clock.tone} track="stroke-panel-line" ticks>
          <span
            key={clock.isLast ? clock.figure : ''}
            className={`figures font-semibold text-sm ${clock.isLast ? 'animate-beat block text-gold' : ''}`}
          >
            {clock.figure}
          </span>
        </Ring>
      )}
      <span className="figures font-semibold text-sm">{words}</span>
    </button>,
    document.body,
  )
}

function wordsOf(round: Round | undefined, phase: Phase, { words, figure }: Clock): string {
  const name = round ? `Round ${figureText(round.number)}` : 'Colour game'
  if (phase !== 'result' || !round) return figure && !round ? words : `${name}: ${words}`
  if (!round.color) return `${name}: stakes returned`
  return `${name}: ${round.draw}, ${colourLook[round.color].name.toLowerCase()}`
}
