import { Dices } from 'lucide-react'
import { type Bet, betRow, colour } from '../../protocol/colour.ts'
import { subtract } from '../../protocol/money.ts'
import { Badge } from '../../ui/badge.tsx'
import { dateTimeText } from '../../ui/format.ts'
import { Money } from '../../ui/money.tsx'
import { Empty } from '../../ui/states.tsx'
import type { Column } from '../../ui/table.tsx'
import type { Tone } from '../../ui/tone.ts'
import { ColourMark } from '../shared/draws/colour-mark.tsx'
import { History } from '../shared/history/history.tsx'

const toneByState: Record<Bet['state'], Tone> = { open: 'sky', won: 'leaf', lost: 'ink', refunded: 'gold' }

const stateLabels: Record<Bet['state'], string> = { open: 'Open', won: 'Won', lost: 'Lost', refunded: 'Refunded' }

const columns: Column<Bet>[] = [
  {
    header: 'Bet',
    cell: (bet) => (
      <span className="flex items-center gap-2">
        <ColourMark colour={bet.color} size={24} />
        <Money amount={bet.amount} exact />
      </span>
    ),
  },
  { header: 'Round', cell: (bet) => bet.round },
  {
    header: 'Drawn',
    cell: (bet) =>
      bet.outcome ? (
        <span className="flex items-center gap-1.5">
          <ColourMark colour={bet.outcome} size={20} />
          {bet.draw}
        </span>
      ) : (
        '–'
      ),
  },
  { header: 'Result', cell: (bet) => <Badge tone={toneByState[bet.state]}>{stateLabels[bet.state]}</Badge> },
  {
    header: 'Net',
    numeric: true,
    cell: (bet) => (bet.state === 'open' ? '–' : <Money amount={subtract(bet.payout, bet.amount)} plus exact />),
  },
  { header: 'Date', cell: (bet) => <span className="whitespace-nowrap text-soft">{dateTimeText(bet.placed_at)}</span> },
]

const choices = [
  {
    name: 'state',
    label: 'Result',
    options: [
      { value: '', label: 'All bets' },
      ...betRow.shape.state.options.map((state) => ({ value: state, label: stateLabels[state] })),
    ],
  },
]

/** The user's bets, with their results. */
export const BetHistory = () => (
  <History
    route={colour.betHistory}
    csv={colour.betHistoryCsv}
    caption="Your bets"
    choices={choices}
    columns={columns}
    rowKey={(bet) => bet.id}
    empty={
      <Empty title="No bets yet" icon={<Dices />}>
        Your bets and their results appear here.
      </Empty>
    }
  />
)
