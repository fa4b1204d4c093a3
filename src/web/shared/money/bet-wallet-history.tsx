import { Wallet } from 'lucide-react'
import { type BetMove, betMove, colour } from '../../../protocol/colour.ts'
import { micro } from '../../../protocol/money.ts'
import { Badge } from '../../../ui/badge.tsx'
import { DateTime } from '../../../ui/date-time.tsx'
import { Money } from '../../../ui/money.tsx'
import { Empty } from '../../../ui/states.tsx'
import type { Tone } from '../../../ui/tone.ts'
import { History } from '../history/history.tsx'
import { ExplorerLink } from './explorer-link.tsx'

const states: Record<BetMove['state'], { label: string; tone: Tone }> = {
  done: { label: 'Done', tone: 'leaf' },
  pending: { label: 'On its way', tone: 'sky' },
  failed: { label: 'Not credited', tone: 'coral' },
  'to wallet': { label: 'In your wallet balance', tone: 'gold' },
}

const choices = [
  {
    name: 'direction',
    label: 'Direction',
    options: [
      { value: '', label: 'In and out' },
      { value: 'deposit', label: 'Into the bet wallet' },
      { value: 'withdraw', label: 'Back to the wallet' },
    ],
  },
  {
    name: 'state',
    label: 'State',
    options: [
      { value: '', label: 'All moves' },
      ...betMove.shape.state.options.map((state) => ({ value: state, label: states[state].label })),
    ],
  },
]

function moveText({ direction, source }: BetMove): string {
  if (direction === 'withdraw') return 'Back to the wallet balance'
  return source === 'chain' ? 'From your wallet on chain' : 'From the wallet balance'
}

/** Money moved into and out of the bet wallet. Bets are not moves: they have a list of their own. */
export const BetWalletHistory = ({ title }: { title?: string }) => (
  <History
    route={colour.walletHistory}
    csv={colour.walletHistoryCsv}
    {...(title && { title })}
    caption="Bet wallet, newest first"
    choices={choices}
    rowKey={({ date, amount, direction }, index) => [date.getTime(), amount, direction, index].join(' ')}
    columns={[
      {
        header: 'Move',
        cell: (row) => (
          <span className="grid">
            <span className="font-semibold">{moveText(row)}</span>
            <span className="text-faint text-sm">
              <DateTime at={row.date} />
            </span>
          </span>
        ),
      },
      {
        header: 'Amount',
        numeric: true,
        cell: ({ direction, amount }) => (
          <Money amount={direction === 'deposit' ? amount : micro(-amount)} plus exact className="font-semibold" />
        ),
      },
      { header: 'State', cell: ({ state }) => <Badge tone={states[state].tone}>{states[state].label}</Badge> },
      { header: 'Transaction', cell: ({ trans_hash }) => (trans_hash ? <ExplorerLink hash={trans_hash} /> : '–') },
    ]}
    empty={
      <Empty title="Nothing moved yet" icon={<Wallet size={24} />}>
        Money you move into the bet wallet, or back, appears here.
      </Empty>
    }
  />
)
