import { Undo2, Volume2, VolumeX } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import type { Round } from '../../protocol/colour.ts'
import { colours } from '../../protocol/colour-odds.ts'
import { figureText } from '../../protocol/figures.ts'
import { add } from '../../protocol/money.ts'
import type { Terms } from '../../protocol/terms.ts'
import { IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { drawableUsdt, moneyText } from '../../ui/format.ts'
import { useMedia } from '../../ui/media.ts'
import { Ring } from '../../ui/ring.tsx'
import { play, useMute } from '../../ui/sound.ts'
import { ColourMark, colourLook } from '../shared/draws/colour-mark.tsx'
import { type Clock, clockOf } from './clock.ts'
import { MiniStage } from './mini-stage.tsx'
import type { Phase } from './use-table.ts'
import { Wheel } from './wheel.tsx'
import type { Chip } from './wheel-chips.tsx'

type StageProps = {
  round: Round | undefined
  phase: Phase
  nowMs: number
  nextOpensAt: Date | undefined
  /** What the user has bet in this round. */
  chips: Chip[]
  terms: Pick<Terms, 'colourRoundSeconds' | 'colourResultSeconds'>
  children?: ReactNode
}

/** The current round: wheel, countdown, chips and stakes. A small copy stays in view when it is scrolled away. */
export function Stage({ round, phase, nowMs, nextOpensAt, chips, terms, children }: StageProps) {
  const stage = useRef<HTMLElement>(null)
  const isSeen = useSeen(stage)
  const { muted, mute } = useMute()
  const clock = clockOf({ round, phase, nowMs, nextOpensAt, terms })
  useLastSeconds(clock, chips.length > 0)
  return (
    <Card
      ref={stage}
      weight="lead"
      padding="none"
      className="relative grid gap-3 p-3 -mt-2 wide:mt-0 sm:gap-6 sm:p-8"
      aria-label="Round"
    >
      <IconButton
        label={muted ? 'Turn sound on' : 'Turn sound off'}
        onClick={mute}
        className="absolute! top-2 right-2 text-on-panel-soft! hover:bg-panel-line hover:text-on-panel!"
      >
        {muted ? <VolumeX size={18} aria-hidden="true" /> : <Volume2 size={18} aria-hidden="true" />}
      </IconButton>
      <Wheel phase={phase} draw={round?.draw ?? null} chips={chips}>
        <Center round={round} phase={phase} clock={clock} terms={terms} />
      </Wheel>
      <p className="sr-only" role="status">
        {announcement(round, phase)}
      </p>
      {children}
      {round && <Pools round={round} />}
      {!isSeen && (
        <MiniStage
          round={round}
          phase={phase}
          clock={clock}
          onShow={() => stage.current?.scrollIntoView({ block: 'center' })}
        />
      )}
    </Card>
  )
}

/** Whether some of the stage is in view. */
function useSeen(stage: RefObject<HTMLElement | null>): boolean {
  const [isSeen, setSeen] = useState(true)
  useEffect(() => {
    if (!stage.current) return
    // The header covers the top of the page, so the wheel is out of view a little earlier.
    const observer = new IntersectionObserver(([entry]) => setSeen(entry?.isIntersecting !== false), {
      threshold: 0.45,
    })
    observer.observe(stage.current)
    return () => observer.disconnect()
  }, [stage])
  return isSeen
}

/** In the last seconds, a player with chips on the wheel also hears and feels the countdown. */
function useLastSeconds({ isLast, figure }: Clock, isPlaying: boolean): void {
  useEffect(() => {
    if (!isLast || !isPlaying || figure === '') return
    play({ from: 1200, lengthMs: 40, volume: 0.04, type: 'square' })
    navigator.vibrate?.(12)
  }, [isLast, isPlaying, figure])
}

/** Screen readers announce it once per phase, not every second. */
function announcement(round: Round | undefined, phase: Phase): string {
  if (!round || phase === 'waiting') return 'Waiting for the next round'
  if (phase === 'betting') return `Round ${round.number} is open for bets`
  if (phase === 'drawing' || phase === 'revealing') return `Round ${round.number} is being drawn`
  if (round.state === 'refunded') return `Round ${round.number}: no result in time, all stakes were returned`
  return `Round ${round.number}: ${round.draw}, ${round.color}`
}

type CenterProps = Pick<StageProps, 'round' | 'phase' | 'terms'> & { clock: Clock }

function Center({ round, phase, clock, terms }: CenterProps) {
  const narrow = useMedia('(max-width: 639px)')
  if (phase === 'result' && round) return <Result round={round} next={clock.nextText} terms={terms} />
  const { figure, words, share, tone, isLast } = clock
  return (
    <Ring value={share} size={narrow ? 150 : 232} stroke={8} tone={tone} track="stroke-panel-line" ticks>
      <div className="grid justify-items-center sm:gap-1">
        {round && <p className="text-on-panel-soft text-xs sm:text-sm">Round {figureText(round.number)}</p>}
        {figure && (
          <p
            key={isLast ? figure : 'calm'}
            className={`figures font-display text-5xl leading-none sm:text-7xl ${isLast ? 'animate-beat text-gold' : ''}`}
          >
            {figure}
          </p>
        )}
        <p className={figure ? 'text-on-panel-soft text-sm sm:text-base' : 'max-w-32 font-display text-lg sm:text-xl'}>
          {words}
        </p>
      </div>
    </Ring>
  )
}

type ResultProps = Pick<StageProps, 'terms'> & { round: Round; next: string }

function Result({ round, next, terms }: ResultProps) {
  if (round.state === 'refunded' || !round.color)
    return (
      <div className="grid max-w-44 animate-pop justify-items-center gap-1 text-center sm:gap-2">
        <Undo2 size={32} aria-hidden="true" />
        <p className="font-display text-base sm:text-xl">All stakes were returned</p>
        <p className="text-on-panel-soft text-xs sm:text-sm">
          There was no block within {terms.colourResultSeconds} seconds. {next}
        </p>
      </div>
    )
  return (
    <div className="grid animate-pop justify-items-center gap-0.5 text-center sm:gap-1.5">
      <ColourMark colour={round.color} className="size-14 sm:size-21" />
      <p className="figures font-display text-3xl leading-none sm:text-4xl">{round.draw}</p>
      <p className="font-semibold">{colourLook[round.color].name}</p>
      <p className="figures text-on-panel-soft text-sm">{next}</p>
    </div>
  )
}

/** All players' stakes by colour. They do not affect the odds. */
function Pools({ round }: { round: Round }) {
  const total = add(...colours.map((colour) => round.stakes[colour]))
  return (
    <div className="grid gap-2.5">
      <div className="hidden h-2.5 gap-1 sm:flex overflow-hidden rounded-full" aria-hidden="true">
        {total === 0n && <span className="flex-1 rounded-full bg-panel-line" />}
        {colours.map((colour) => (
          <span
            key={colour}
            hidden={round.stakes[colour] === 0n}
            className="rounded-full transition-[flex-grow] duration-500"
            style={{ flexGrow: drawableUsdt(round.stakes[colour]), background: `var(--game-wheel-${colour})` }}
          />
        ))}
      </div>
      <dl className="flex flex-wrap justify-between gap-x-5 gap-y-1 text-sm">
        {colours.map((colour) => (
          <div key={colour} className="flex items-center gap-1.5">
            <dt>
              <span className="sr-only">Staked on</span>
              <ColourMark colour={colour} size={18} />
            </dt>
            <dd className="figures">{moneyText(round.stakes[colour])}</dd>
          </div>
        ))}
        <div className="flex gap-1.5 text-on-panel-soft">
          <dt className="sr-only">Bets</dt>
          <dd className="figures">{round.bets === 1 ? '1 bet' : `${round.bets} bets`}</dd>
        </div>
      </dl>
    </div>
  )
}
