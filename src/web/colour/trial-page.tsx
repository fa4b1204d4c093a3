import './colour.css'
import { useEffect, useState } from 'react'
import { colour } from '../../protocol/colour.ts'
import type { Colour } from '../../protocol/colour-odds.ts'
import { Card } from '../../ui/card.tsx'
import { celebrate } from '../../ui/celebration.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useRead } from '../shared/api/api.ts'
import { serverNowMs } from '../shared/api/server-clock.ts'
import { FailedRead } from '../shared/page/failed-read.tsx'
import { useTerms } from '../shared/terms/use-terms.ts'
import { CHIPS_AT_START, changeTrial, readTrial, useTrial } from '../shared/trial/trial.ts'
import { TrialFrame } from '../shared/trial/trial-frame.tsx'
import { CHIPS_PER_BET, type ChipBet, ChipSlip, gainOf } from './chip-slip.tsx'
import { Stage } from './stage.tsx'
import { nextOpening, useRounds } from './use-table.ts'
import type { Chip } from './wheel-chips.tsx'

/**
 * The real round with free chips, without an account. Chips exist only in this browser: no call is made for a bet, and
 * the ledger has no entry. The draw is the one of the members, and the browser checks it with the same code.
 */
export function ColourTrialPage() {
  const running = useRead(colour.running, {})
  const { terms, ...read } = useTerms()
  const rounds = useRounds(running.data?.data.round ?? undefined, serverNowMs() - Date.now())
  const { round, phase, nowMs, checks } = rounds
  const chips = useChips(rounds)
  const data = running.data?.data
  const failed = [running, read, rounds.past, rounds.fairness].find(({ error }) => error)
  return (
    <TrialFrame current="/play/colour">
      <h1 className="sr-only">Try the colour game</h1>
      {failed?.error && (!data || !terms) ? (
        <Card>
          <FailedRead error={failed.error} onRetry={() => failed.refetch()} />
        </Card>
      ) : !data || !terms ? (
        <div className="grid gap-3 wide:grid-cols-2" role="status" aria-label="Loading the round">
          <Skeleton className="h-[420px] rounded-card" />
          <Skeleton className="h-[280px] rounded-card" />
        </div>
      ) : (
        <div className="colour-game grid items-start gap-3 wide:grid-cols-2 wide:gap-5">
          <Stage
            round={round}
            phase={phase}
            nowMs={nowMs}
            nextOpensAt={nextOpening(data.next_opens_at, nowMs, terms)}
            chips={chipOf(chips.bet, round?.number)}
            terms={terms}
          />
          <ChipSlip
            phase={phase}
            bet={chips.bet}
            check={chips.bet && checks.get(chips.bet.round)}
            failure={rounds.past.error ?? rounds.fairness.error}
            onBet={chips.place}
            onAgain={chips.clear}
          />
        </div>
      )}
    </TrialFrame>
  )
}

const chipOf = (bet: ChipBet | undefined, round: number | undefined): Chip[] =>
  bet && bet.round === round ? [{ id: String(bet.round), colour: bet.choice, text: String(CHIPS_PER_BET) }] : []

/** The visitor's bet in this round. It is settled once, when the marker has stopped. */
function useChips({ round, phase }: ReturnType<typeof useRounds>) {
  const [bet, setBet] = useState<ChipBet>()
  const { chips } = useTrial()
  useEffect(() => {
    if (!bet || bet.gain !== undefined || round?.number !== bet.round || phase !== 'result') return
    const gain = gainOf(bet, round)
    setBet({ ...bet, gain })
    settle(gain)
  }, [bet, round, phase])
  const place = (choice: Colour) => {
    if (phase !== 'betting' || !round || bet) return
    if (chips < CHIPS_PER_BET) changeTrial({ chips: CHIPS_AT_START })
    setBet({ round: round.number, choice })
  }
  return { bet, place, clear: () => setBet(undefined) }
}

function settle(gain: number): void {
  const { chips, streak } = readTrial()
  changeTrial({ chips: chips + gain, streak: gain > 0 ? streak + 1 : gain < 0 ? 0 : streak })
  if (gain > 0) celebrate()
}
