import { Undo2 } from 'lucide-react'
import type { Bet, Round } from '../../protocol/colour.ts'
import { payoutOf } from '../../protocol/colour-draw.ts'
import { colours } from '../../protocol/colour-odds.ts'
import { add, micro, subtract } from '../../protocol/money.ts'
import type { Terms } from '../../protocol/terms.ts'
import { Card } from '../../ui/card.tsx'
import { drawableUsdt, moneyText } from '../../ui/format.ts'
import { useMedia } from '../../ui/media.ts'
import { Money } from '../../ui/money.tsx'
import { Ring } from '../../ui/ring.tsx'
import { ColourMark, colourLook } from './colour-mark.tsx'
import type { Phase } from './use-table.ts'
import { Wheel } from './wheel.tsx'

type StageProps = {
  round: Round | undefined
  phase: Phase
  nowMs: number
  nextOpensAt: Date | undefined
  bets: Bet[]
  terms: Pick<Terms, 'colourRoundSeconds' | 'colourResultSeconds'>
}

/** The current round: wheel, countdown, stakes, and the result of the user's bets. */
export function Stage({ round, phase, nowMs, nextOpensAt, bets, terms }: StageProps) {
  return (
    <Card weight="lead" padding="none" className="grid gap-6 p-5 sm:p-8" aria-label="Round">
      <Wheel phase={phase} draw={round?.draw ?? null}>
        <Center round={round} phase={phase} nowMs={nowMs} nextOpensAt={nextOpensAt} terms={terms} />
      </Wheel>
      <p className="sr-only" role="status">
        {announcement(round, phase)}
      </p>
      {round && <Pools round={round} />}
      {round && bets.length > 0 && <OwnBets round={round} phase={phase} bets={bets} />}
    </Card>
  )
}

/** Screen readers announce it once per phase, not every second. */
function announcement(round: Round | undefined, phase: Phase): string {
  if (!round || phase === 'waiting') return 'Waiting for the next round'
  if (phase === 'betting') return `Round ${round.number} is open for bets`
  if (phase === 'drawing' || phase === 'revealing') return `Round ${round.number} is being drawn`
  if (round.state === 'refunded') return `Round ${round.number}: no result in time, all stakes were returned`
  return `Round ${round.number}: ${round.draw}, ${round.color}`
}

function Center({ round, phase, nowMs, nextOpensAt, terms }: Omit<StageProps, 'bets'>) {
  const narrow = useMedia('(max-width: 639px)')
  if (phase === 'result' && round)
    return <Result round={round} nextMs={(nextOpensAt?.getTime() ?? 0) - nowMs} terms={terms} />
  const isBetting = phase === 'betting' && round
  const endMs = isBetting ? round.closes_at.getTime() : (nextOpensAt?.getTime() ?? nowMs)
  const leftMs = Math.max(0, endMs - nowMs)
  // A round that opened before the terms changed keeps its own length.
  const wholeMs = isBetting ? endMs - round.opens_at.getTime() : terms.colourRoundSeconds * 1000
  const share = leftMs / wholeMs
  const isDrawing = phase === 'drawing' || phase === 'revealing'
  const [figure, words] = isDrawing
    ? ['', phase === 'drawing' ? 'Waiting for the next block' : 'Here it comes']
    : [String(Math.ceil(leftMs / 1000)), isBetting ? 'seconds to bet' : 'until the next round']
  return (
    <Ring
      {...(!isDrawing && { value: share })}
      size={narrow ? 196 : 232}
      stroke={8}
      tone={isBetting && leftMs < 6_000 ? 'gold' : 'lime'}
      track="stroke-panel-line"
    >
      <div className="grid justify-items-center gap-1">
        {round && <p className="text-on-panel-soft text-sm">Round {round.number.toLocaleString('en')}</p>}
        {figure && <p className="figures font-display text-7xl leading-none">{figure}</p>}
        <p className={isDrawing ? 'max-w-32 font-display text-xl' : 'text-on-panel-soft'}>{words}</p>
      </div>
    </Ring>
  )
}

type ResultProps = Pick<StageProps, 'terms'> & { round: Round; nextMs: number }

function Result({ round, nextMs, terms }: ResultProps) {
  const next =
    nextMs > 0 && nextMs < terms.colourRoundSeconds * 1000
      ? `Next round in ${Math.ceil(nextMs / 1000)} s`
      : `Round ${round.number}`
  if (round.state === 'refunded' || !round.color)
    return (
      <div className="grid max-w-44 animate-pop justify-items-center gap-2 text-center">
        <Undo2 size={44} aria-hidden="true" />
        <p className="font-display text-xl">All stakes were returned</p>
        <p className="text-on-panel-soft text-sm">
          There was no block within {terms.colourResultSeconds} seconds. {next}
        </p>
      </div>
    )
  return (
    <div className="grid animate-pop justify-items-center gap-1.5 text-center">
      <ColourMark colour={round.color} size={84} />
      <p className="figures font-display text-4xl leading-none">{round.draw}</p>
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
      <div className="flex h-2.5 gap-1 overflow-hidden rounded-full" aria-hidden="true">
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

function OwnBets({ round, phase, bets }: { round: Round; phase: Phase; bets: Bet[] }) {
  const isOver = phase === 'result'
  const stake = add(...bets.map(({ amount }) => amount))
  const back = isOver ? add(...bets.map((bet) => backFrom(bet, round))) : micro(0n)
  const net = subtract(back, stake)
  return (
    <div className="grid gap-3 rounded-inner bg-[rgb(255_255_255/0.07)] p-4" aria-live="polite">
      <ul className="flex flex-wrap gap-2" aria-label="Your bets in this round">
        {bets.map((bet) => (
          <li
            key={bet.id}
            className={`flex items-center gap-2 rounded-full bg-[rgb(255_255_255/0.09)] py-1 pr-3 pl-1.5 text-sm transition-opacity ${isOver && backFrom(bet, round) === 0n ? 'opacity-50' : ''}`}
          >
            <ColourMark colour={bet.color} size={22} />
            <Money amount={bet.amount} />
          </li>
        ))}
      </ul>
      {isOver ? (
        <p className="animate-rise font-display text-xl">{verdict(round, net)}</p>
      ) : (
        <p className="text-on-panel-soft text-sm">
          {phase === 'betting' ? 'Your bets are in.' : 'Your bets are in. The draw is on its way.'}
        </p>
      )}
    </div>
  )
}

function verdict(round: Round, net: bigint): string {
  if (round.state === 'refunded') return 'Your stakes were returned.'
  if (net > 0n) return `You gained ${moneyText(micro(net))} USDT.`
  return net === 0n ? 'You broke even.' : `Not this time: −${moneyText(micro(-net))} USDT.`
}

function backFrom(bet: Bet, round: Round) {
  if (round.state === 'refunded') return bet.amount
  return round.color ? payoutOf(bet.amount, bet.color, round.color) : micro(0n)
}
