import { CircleCheck, TriangleAlert } from 'lucide-react'
import { Link } from 'react-router'
import type { Round } from '../../protocol/colour.ts'
import { type Colour, chancePercent, colours, colourTable, DRAW_SIZE } from '../../protocol/colour-odds.ts'
import { AnimatedNumber } from '../../ui/animated-number.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import type { CallError } from '../shared/api/api.ts'
import type { Check } from '../shared/draws/check-round.ts'
import { ColourMark, colourLook } from '../shared/draws/colour-mark.tsx'
import { FailedLine } from '../shared/page/failed-read.tsx'
import { useTrial } from '../shared/trial/trial.ts'
import { KeepLink } from '../shared/trial/trial-frame.tsx'
import { ProofLines } from './proof-lines.tsx'
import type { Phase } from './use-table.ts'

export const CHIPS_PER_BET = 10
/** `gain`: chips won or lost, once the round is drawn. Zero if it was refunded. */
export type ChipBet = { round: number; choice: Colour; gain?: number }

export function gainOf({ choice }: ChipBet, { color }: Round): number {
  if (!color) return 0
  return choice === color ? CHIPS_PER_BET * (Number(colourTable[choice].pays) - 1) : -CHIPS_PER_BET
}

type ChipSlipProps = {
  phase: Phase
  bet: ChipBet | undefined
  check: Check | undefined
  failure: CallError | null
  onBet: (choice: Colour) => void
  onAgain: () => void
}

/** One tap bets ten free chips. After the draw, what it brought and what this browser has checked. */
export function ChipSlip({ phase, bet, check, failure, onBet, onAgain }: ChipSlipProps) {
  const { chips, streak } = useTrial()
  const isOpen = phase === 'betting' && !bet
  return (
    <Card padding="none" aria-label="Free chips" className="grid content-start gap-3 p-4 sm:gap-4 sm:p-6">
      <div className="flex items-baseline justify-between gap-3">
        <p className="font-display text-2xl">
          <AnimatedNumber value={chips} /> free chips
        </p>
        <p className="text-soft text-sm">{streak > 1 ? `${streak} wins in a row` : 'Not money. Just play.'}</p>
      </div>
      <div aria-live="polite" className="grid min-h-52 content-start gap-3">
        {bet?.gain !== undefined ? (
          <Settled gain={bet.gain} round={bet.round} check={check} onAgain={onAgain} />
        ) : (
          <>
            <Choices isOpen={isOpen} chosen={bet?.choice} onBet={onBet} />
            <p className="text-soft">{wordsFor(bet, phase, isOpen)}</p>
          </>
        )}
        {failure && <FailedLine error={failure} />}
      </div>
    </Card>
  )
}

type ChoicesProps = { isOpen: boolean; chosen: Colour | undefined; onBet: (choice: Colour) => void }

function Choices({ isOpen, chosen, onBet }: ChoicesProps) {
  return (
    <div className="grid grid-cols-3 gap-2">
      {colours.map((name) => (
        <button
          key={name}
          type="button"
          className={`colour-choice colour-choice-${name}`}
          disabled={!isOpen}
          aria-pressed={chosen === name}
          onClick={() => onBet(name)}
        >
          <ColourMark colour={name} size={30} />
          <span className="grid leading-tight">
            <span className="font-semibold">{colourLook[name].name}</span>
            <span className="figures text-soft text-sm">pays {String(colourTable[name].pays)}×</span>
            <span className="figures text-soft text-xs">
              {chancePercent(name)} in {DRAW_SIZE}
            </span>
          </span>
        </button>
      ))}
    </div>
  )
}

function wordsFor(bet: ChipBet | undefined, phase: Phase, isOpen: boolean): string {
  if (isOpen) return `Tap a colour: ${CHIPS_PER_BET} chips on the round that members play right now.`
  if (!bet) return 'This round is closed. The next one opens in a moment.'
  const placed = `${CHIPS_PER_BET} chips on ${bet.choice}.`
  return phase === 'betting'
    ? `${placed} When betting closes, the next block on the chain decides.`
    : `${placed} Your browser will check the draw itself.`
}

type SettledProps = { gain: number; round: number; check: Check | undefined; onAgain: () => void }

/** Stays until the visitor goes on, so that nobody has to read against the clock of the next round. */
function Settled({ gain, round, check, onAgain }: SettledProps) {
  const { best } = useTrial()
  return (
    <>
      <p className="font-display text-xl">{verdictOf(gain)}</p>
      {check ? <Proof check={check} round={round} /> : <p className="text-soft">Your browser is checking the draw…</p>}
      <div className="grid grid-cols-2 gap-2">
        {best ? (
          <KeepLink variant="primary" />
        ) : (
          <Link to="/play/quiz" className={buttonClass()}>
            Play the quiz
          </Link>
        )}
        <Button variant="outline" onClick={onAgain}>
          Another round
        </Button>
      </div>
    </>
  )
}

function verdictOf(gain: number): string {
  if (gain > 0) return `You called it: +${gain} chips`
  return gain === 0 ? 'No result in time: your chips are back' : `Not this time: −${-gain} chips`
}

function Proof({ check, round }: { check: Check; round: number }) {
  const isRight = check.verdict === 'right'
  const Icon = isRight ? CircleCheck : TriangleAlert
  return (
    <div
      className={`grid gap-1 rounded-inner px-4 py-3 ${isRight ? 'bg-leaf-tint text-leaf-ink' : 'bg-coral-tint text-coral-ink'}`}
    >
      <p className="flex items-center gap-2 font-semibold">
        <Icon size={20} aria-hidden="true" />
        {isRight ? `Your browser checked round ${round}` : `Round ${round} does not match`}
      </p>
      <ProofLines check={check} className="text-sm" />
    </div>
  )
}
