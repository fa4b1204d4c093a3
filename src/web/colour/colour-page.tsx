import './colour.css'
import { CircleCheck } from 'lucide-react'
import { memo, useDeferredValue, useState } from 'react'
import { colour, type Round } from '../../protocol/colour.ts'
import { type Colour, colours, colourTable, DRAW_SIZE } from '../../protocol/colour-odds.ts'
import { formatUsdt } from '../../protocol/money.ts'
import type { Terms } from '../../protocol/terms.ts'
import { Card } from '../../ui/card.tsx'
import { withLocalTimes } from '../../ui/format.ts'
import { useNarrow } from '../../ui/media.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { type CallError, useRead } from '../shared/api/api.ts'
import { BetWalletHistory } from '../shared/money/bet-wallet-history.tsx'
import { FailedLine, FailedRead } from '../shared/page/failed-read.tsx'
import { Soon } from '../shared/page/soon.tsx'
import { Announced } from '../shared/terms/announced.tsx'
import { useTerms } from '../shared/terms/use-terms.ts'
import { About, PageSkeleton, WideHead } from './about.tsx'
import { BetHistory } from './bet-history.tsx'
import { BetSlip } from './bet-slip.tsx'
import { LimitsCard } from './limits-card.tsx'
import { PlayedPanel } from './played-panel.tsx'
import { RealityCheck } from './reality-check.tsx'
import { ResultsStrip } from './results-strip.tsx'
import { Stage } from './stage.tsx'
import { Statistics } from './statistics.tsx'
import type { Played } from './use-own-bets.ts'
import { nextOpening, useTable } from './use-table.ts'
import type { Chip } from './wheel-chips.tsx'

/** The colour game: three colours, visible odds, and a draw that anyone can recompute. */
export function ColourPage() {
  const table = useTable()
  const limits = useRead(colour.limits, {})
  const { terms, ...read } = useTerms()
  const { game, round, phase, nowMs, checks } = table
  const data = game.data?.data
  // Rendered in slices, so that a slow phone can react to a tap between them.
  const isRead = useDeferredValue(data !== undefined && terms !== undefined)
  const failed = game.error && !data ? game : read.error && !terms ? read : undefined
  return (
    <div className="colour-game pb-64 wide:pb-0">
      <Head />
      <Announced announced={read.announced} about="colour" />
      {failed?.error ? (
        <Card>
          <FailedRead error={failed.error} onRetry={() => failed.refetch()} />
        </Card>
      ) : !isRead || !data || !terms ? (
        <PageSkeleton />
      ) : (
        <div className="grid items-start gap-5 wide:grid-cols-2 wide:grid-rows-[auto_1fr]">
          <Stage
            round={round}
            phase={phase}
            nowMs={nowMs}
            nextOpensAt={nextOpening(data.next_opens_at, nowMs, terms)}
            chips={chipsIn(round, table.played)}
            terms={terms}
          >
            <PlayedPanel
              played={table.played}
              phase={phase}
              current={round}
              check={table.played && checks.get(table.played.round.number)}
            />
          </Stage>
          <div className="wide:col-start-2 wide:row-span-2 wide:row-start-1">
            <Slip
              phase={phase}
              balance={data.bet_balance}
              limits={limits.data?.data}
              terms={terms}
              closedBecause={data.closed_because && withLocalTimes(data.closed_because)}
              onPlaced={table.addBet}
            />
          </div>
          <About />
          <Soon>
            <LastResults
              results={table.results}
              checks={checks}
              error={table.past.error}
              isLoading={table.past.isPending}
              hidden={phase === 'revealing' ? round?.number : undefined}
            />
            <Soon>
              <Records fairness={table.fairness.data?.data} failure={table.fairness.error} terms={terms} />
              <div className="wide:col-span-2">
                <Limits />
              </div>
            </Soon>
          </Soon>
        </div>
      )}
      <RealityCheck nowMs={nowMs} />
    </div>
  )
}

/** On phones the round needs the first screen, so what the page is about follows the wheel. */
const Head = () => (useNarrow() ? <h1 className="sr-only">Colour game</h1> : <WideHead />)

const chipsIn = (round: Round | undefined, played: Played | undefined): Chip[] =>
  (played && played.round.number === round?.number ? played.bets : []).map(({ id, color, amount }) => ({
    id,
    colour: color,
    text: formatUsdt(amount),
  }))

// The countdown renders the page every second. What does not depend on it is left out.
const [Slip, Limits] = [memo(BetSlip), memo(LimitsCard)]

type LastResultsProps = {
  results: Round[]
  checks: ReturnType<typeof useTable>['checks']
  error: CallError | null
  isLoading: boolean
  /** The current round, while the wheel turns: its result comes when the wheel has stopped. */
  hidden: number | undefined
}

const LastResults = memo(function LastResults({ results, checks, error, isLoading, hidden }: LastResultsProps) {
  return (
    <Card className="grid min-w-0 gap-3" aria-label="Last results">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="text-xl">Last results</h2>
        <p className="flex items-center gap-1.5 text-sm text-soft">
          <CircleCheck size={16} className="text-leaf-ink" aria-hidden="true" />
          {[...checks.values()].filter(({ verdict }) => verdict === 'right').length} recomputed in this browser
        </p>
      </div>
      {error && <FailedLine error={error} />}
      <ResultsStrip results={results.filter(({ number }) => number !== hidden)} checks={checks} isLoading={isLoading} />
    </Card>
  )
})

const tabs = [
  { id: 'bets', label: 'Your bets' },
  { id: 'wallet', label: 'Bet wallet' },
  { id: 'statistics', label: 'Statistics' },
  { id: 'rules', label: 'How the draw works' },
] as const

type RecordsProps = Parameters<typeof Statistics>[0] & { failure: CallError | null; terms: Terms }

const Records = memo(function Records({ fairness, failure, terms }: RecordsProps) {
  const [tab, setTab] = useState<(typeof tabs)[number]['id']>('bets')
  // The tab answers the tap, its records follow.
  const shown = useDeferredValue(tab)
  return (
    <Card className="min-w-0 wide:col-span-2" aria-label="Records">
      <Tabs label="Records" tabs={tabs} selected={tab} onSelect={setTab}>
        {failure && <FailedLine error={failure} />}
        {shown === 'bets' && <BetHistory />}
        {shown === 'wallet' && <BetWalletHistory />}
        {shown === 'statistics' && <Statistics fairness={fairness} />}
        {shown === 'rules' && <Rules anchor={fairness?.chains.at(-1)?.anchor} terms={terms} />}
      </Tabs>
    </Card>
  )
})

function oddsText(name: Colour): string {
  const { from, to, pays } = colourTable[name]
  return `${name} ${from}–${to} pays ${pays}×`
}

function Rules({ anchor, terms }: { anchor: string | undefined; terms: Terms }) {
  return (
    <ol className="grid list-decimal gap-3 pl-5 text-soft marker:font-semibold marker:text-ink">
      <li>
        All server seeds were fixed before the first round, in a chain where each is the hash of the next. The end of
        the chain is public: <code className="break-all text-ink text-xs">{anchor ?? '…'}</code>
      </li>
      <li>
        There is a round every {terms.colourRoundSeconds} seconds. Betting closes {terms.colourBettingSeconds} seconds
        after it opens, by the server's clock.
      </li>
      <li>The draw combines the round's seed with the first block after closing, once that block is final.</li>
      <li>
        The result is a number from 0 to {DRAW_SIZE - 1}: {colours.map(oddsText).join(', ')}.
      </li>
      <li>If there is no block within {terms.colourResultSeconds} seconds, every stake is returned automatically.</li>
      <li>Your browser recomputes each round it sees. A tick means that it got the same number.</li>
    </ol>
  )
}
