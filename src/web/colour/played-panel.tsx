import { useEffect, useRef } from 'react'
import type { Bet, Round } from '../../protocol/colour.ts'
import { payoutOf } from '../../protocol/colour-draw.ts'
import { add, micro, subtract, type Usdt } from '../../protocol/money.ts'
import { celebrate } from '../../ui/celebration.ts'
import { moneyText } from '../../ui/format.ts'
import { Money } from '../../ui/money.tsx'
import { play } from '../../ui/sound.ts'
import type { Check } from '../shared/draws/check-round.ts'
import { ColourMark } from '../shared/draws/colour-mark.tsx'
import { ProofLines } from './proof-lines.tsx'
import type { Played } from './use-own-bets.ts'
import type { Phase } from './use-table.ts'

type PlayedPanelProps = {
  played: Played | undefined
  phase: Phase
  current: Round | undefined
  check: Check | undefined
}

/** The user's bets, then the verdict over all of them and the check of the draw. Its height does not change. */
export function PlayedPanel({ played, phase, current, check }: PlayedPanelProps) {
  const isBefore = played !== undefined && played.round.number !== current?.number
  const isOver = played?.isOver === true && (isBefore || phase === 'result')
  useCelebration(isOver ? played : undefined)
  return (
    <div
      aria-live="polite"
      className="grid min-h-29 content-center gap-2 rounded-inner bg-[rgb(255_255_255/0.07)] px-3 py-3 sm:px-4"
    >
      {!played ? (
        <p className="text-center text-on-panel-soft text-sm">Your bets and the verdict appear here.</p>
      ) : isOver ? (
        <>
          <Verdict played={played} isBefore={isBefore} />
          {check ? (
            <ProofLines check={check} className="text-on-panel-soft text-xs [&_svg]:text-lime" />
          ) : (
            <p className="text-on-panel-soft text-xs">Your browser is checking the draw…</p>
          )}
        </>
      ) : (
        <Waiting bets={played.bets} isOpen={phase === 'betting'} />
      )}
    </div>
  )
}

function Waiting({ bets, isOpen }: { bets: Bet[]; isOpen: boolean }) {
  return (
    <>
      <ul className="flex gap-2 overflow-x-auto" aria-label="Your bets in this round">
        {bets.map((bet) => (
          <li
            key={bet.id}
            className="flex shrink-0 items-center gap-2 rounded-full bg-[rgb(255_255_255/0.09)] py-1 pr-3 pl-1.5 text-sm"
          >
            <ColourMark colour={bet.color} size={22} />
            <Money amount={bet.amount} />
          </li>
        ))}
      </ul>
      <p className="text-on-panel-soft text-sm">
        {isOpen ? 'Your bets are in.' : 'Your bets are in. The draw is on its way.'}
      </p>
    </>
  )
}

function Verdict({ played, isBefore }: { played: Played; isBefore: boolean }) {
  const { round, isWhole, bets } = played
  if (isWhole === undefined) return <p className="font-display text-xl">Adding up your bets…</p>
  return (
    <p className="animate-rise font-display text-xl">
      {isBefore && `Round ${round.number}: `}
      {verdictText(round, netOf(played))}
      {!isWhole && (
        <span className="block font-normal font-sans text-sm">
          {`Only the ${bets.length === 1 ? 'bet' : `${bets.length} bets`} that this page knows. Your history has all of them.`}
        </span>
      )}
    </p>
  )
}

function netOf({ round, bets }: Played): Usdt {
  const back = (bet: Bet) =>
    round.state === 'refunded' ? bet.amount : round.color ? payoutOf(bet.amount, bet.color, round.color) : micro(0n)
  return subtract(add(...bets.map(back)), add(...bets.map(({ amount }) => amount)))
}

function verdictText(round: Round, net: Usdt): string {
  if (round.state === 'refunded') return 'Your stakes were returned.'
  if (net > 0n) return `You gained ${moneyText(net)} USDT.`
  return net === 0n ? 'You broke even.' : `Not this time: −${moneyText(micro(-net))} USDT.`
}

/** A win, over all bets of the round, is celebrated once. A loss is quiet. */
function useCelebration(over: Played | undefined): void {
  const done = useRef(0)
  const number = over?.round.number ?? 0
  const isWon = over?.isWhole !== undefined && over.round.state === 'settled' && netOf(over) > 0n
  useEffect(() => {
    if (!isWon || done.current === number) return
    done.current = number
    celebrate()
    navigator.vibrate?.([30, 50, 30])
    play({ from: 659.25, lengthMs: 180 }, { from: 987.77, atMs: 120, lengthMs: 320, volume: 0.09 })
  }, [isWon, number])
}
