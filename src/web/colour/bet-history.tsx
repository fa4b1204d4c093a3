import { Dices } from 'lucide-react'
import { useState } from 'react'
import { type Bet, colour } from '../../protocol/colour.ts'
import { subtract } from '../../protocol/money.ts'
import { PAGE_SIZE } from '../../protocol/route.ts'
import { Badge } from '../../ui/badge.tsx'
import { dateTimeText } from '../../ui/format.ts'
import { Money } from '../../ui/money.tsx'
import { Empty } from '../../ui/states.tsx'
import { type Column, Pager, ROWS_PER_PAGE, Table } from '../../ui/table.tsx'
import type { Tone } from '../../ui/tone.ts'
import { useRead } from '../shared/api/api.ts'
import { FailedRead } from '../shared/page/failed-read.tsx'
import { ColourMark } from './colour-mark.tsx'

const toneByState: Record<Bet['state'], Tone> = { open: 'sky', won: 'leaf', lost: 'ink', refunded: 'gold' }

const columns: Column<Bet>[] = [
  {
    header: 'Bet',
    cell: (bet) => (
      <span className="flex items-center gap-2">
        <ColourMark colour={bet.color} size={24} />
        <Money amount={bet.amount} />
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
  { header: 'Result', cell: (bet) => <Badge tone={toneByState[bet.state]}>{bet.state}</Badge> },
  {
    header: 'Net',
    numeric: true,
    cell: (bet) => (bet.state === 'open' ? '–' : <Money amount={subtract(bet.payout, bet.amount)} plus />),
  },
  { header: 'Date', cell: (bet) => <span className="whitespace-nowrap text-soft">{dateTimeText(bet.placed_at)}</span> },
]

/** The user's bets, five per page. Fetches the next fifty from the server when the pager runs past the last row. */
export function BetHistory() {
  const [page, setPage] = useState(1)
  const first = (page - 1) * ROWS_PER_PAGE
  const read = useRead(colour.betHistory, { page_no: Math.floor(first / PAGE_SIZE) + 1 })
  if (read.isError && !read.data) return <FailedRead error={read.error} onRetry={() => read.refetch()} />
  const rows = (read.data?.history ?? []).slice(first % PAGE_SIZE, (first % PAGE_SIZE) + ROWS_PER_PAGE)
  const lastPage = Math.max(1, Math.ceil((read.data?.total ?? 0) / ROWS_PER_PAGE))
  return (
    <>
      <Table
        caption="Your bets"
        columns={columns}
        rows={rows}
        rowKey={(bet) => bet.id}
        loading={read.isPending}
        empty={
          <Empty title="No bets yet" icon={<Dices />}>
            Your bets and their results appear here.
          </Empty>
        }
      />
      {lastPage > 1 && <Pager page={page} lastPage={lastPage} onPage={setPage} />}
    </>
  )
}
