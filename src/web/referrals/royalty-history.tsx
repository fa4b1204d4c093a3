import type { RoyaltyShare } from '../../protocol/rewards.ts'
import { Badge } from '../../ui/badge.tsx'
import { dateText } from '../../ui/format.ts'
import { Money } from '../../ui/money.tsx'
import { Pager, Table, usePages } from '../../ui/table.tsx'
import type { Tone } from '../../ui/tone.ts'
import { monthText } from './month-text.ts'

const states: Record<RoyaltyShare['state'], { text: string; tone: Tone }> = {
  open: { text: 'Ready to claim', tone: 'gold' },
  paid: { text: 'Claimed', tone: 'leaf' },
  expired: { text: 'Not claimed in time', tone: 'ink' },
  empty: { text: 'The pool was empty', tone: 'ink' },
}

/** The user's share of every closed month, newest first. */
export function RoyaltyHistory({ shares }: { shares: RoyaltyShare[] }) {
  const { rows, page, lastPage, setPage } = usePages(shares)
  return (
    <section aria-label="Your shares" className="grid gap-3">
      <h3 className="font-semibold">History</h3>
      <Table
        caption="Royalty history"
        rows={rows}
        rowKey={({ month }) => month}
        empty={
          <p className="text-soft text-sm">
            None yet. The first month that ends while you have a rank appears here, with its share and when you claimed
            it.
          </p>
        }
        columns={[
          { header: 'Month', cell: ({ month }) => <strong>{monthText(month)}</strong> },
          { header: 'Rank', cell: ({ rank }) => rank },
          { header: 'State', cell: (share) => <State share={share} /> },
          { header: 'USDT', cell: ({ amount }) => <Money amount={amount} unit={false} />, numeric: true },
        ]}
      />
      {lastPage > 1 && <Pager page={page} lastPage={lastPage} onPage={setPage} />}
    </section>
  )
}

function State({ share: { state, paid_at } }: { share: RoyaltyShare }) {
  const { text, tone } = states[state]
  return (
    <span className="inline-flex flex-wrap items-center justify-end gap-x-3 gap-y-1 sm:justify-start">
      <Badge tone={tone}>{text}</Badge>
      {paid_at && <span className="text-faint text-sm">{dateText(paid_at)}</span>}
    </span>
  )
}
