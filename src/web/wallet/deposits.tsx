import { ArrowDownToLine } from 'lucide-react'
import type { OutputOf } from '../../protocol/route.ts'
import { wallet } from '../../protocol/wallet.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { Money } from '../../ui/money.tsx'
import { Empty } from '../../ui/states.tsx'
import type { Tone } from '../../ui/tone.ts'
import { ExplorerLink } from '../shared/money/explorer-link.tsx'
import { PagedTable } from '../shared/page/paged-table.tsx'

type Deposit = OutputOf<typeof wallet.deposits>['data'][number]

const products: Record<Deposit['product'], string> = { plan: 'Plan', bet: 'Bet wallet', wallet: 'Wallet balance' }
const states: Record<Deposit['state'], { label: string; tone: Tone }> = {
  waiting: { label: 'On its way', tone: 'sky' },
  credited: { label: 'Arrived', tone: 'leaf' },
  diverted: { label: 'In your wallet balance', tone: 'gold' },
  failed: { label: 'Not credited', tone: 'coral' },
}

/** Payments received on chain, and what happened to them. */
export const Deposits = () => (
  <Card className="grid gap-4" aria-label="Deposits">
    <h2 className="text-xl">Deposits</h2>
    <PagedTable
      route={wallet.deposits}
      caption="Deposits, newest first"
      rowKey={({ trans_hash, date }) => `${trans_hash} ${date.getTime()}`}
      columns={[
        {
          header: 'Amount',
          cell: ({ amount, date }) => (
            <div className="grid">
              <Money amount={amount} exact className="font-semibold" />
              <span className="text-faint text-sm">
                <DateTime at={date} />
              </span>
            </div>
          ),
        },
        {
          header: 'Status',
          cell: ({ state, note }) => (
            <div className="grid max-w-64 justify-items-start gap-1">
              <Badge tone={states[state].tone}>{states[state].label}</Badge>
              {note && <span className="text-faint text-xs">{note}</span>}
            </div>
          ),
        },
        { header: 'For', cell: ({ product }) => <span className="whitespace-nowrap">{products[product]}</span> },
        { header: 'Transaction', cell: ({ trans_hash }) => <ExplorerLink hash={trans_hash} /> },
      ]}
      empty={
        <Empty title="No deposits yet" icon={<ArrowDownToLine size={24} />}>
          USDT you send from your wallet appears here.
        </Empty>
      }
    />
  </Card>
)
