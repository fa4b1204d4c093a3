import { BanknoteArrowUp } from 'lucide-react'
import { withdrawals } from '../../protocol/withdrawals.ts'
import { Card } from '../../ui/card.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { Money } from '../../ui/money.tsx'
import { Empty } from '../../ui/states.tsx'
import { useEvent } from '../shared/api/events.ts'
import { History } from '../shared/history/history.tsx'
import { ExplorerLink } from '../shared/money/explorer-link.tsx'
import { sourceLabels } from '../shared/money/source-picker.tsx'
import { HeadLink, PageHead } from '../shared/page/page-head.tsx'
import { refresh } from '../shared/withdraw/use-withdrawal.ts'
import { StateBadge, stateOptions } from './state.tsx'

const refreshNow = () => void refresh()

/** Every withdrawal with its state, updated live. */
export function WithdrawalHistoryPage() {
  useEvent('withdrawal', refreshNow)
  useEvent('resync', refreshNow)
  const link = (
    <HeadLink to="/user/withdrawal" icon={BanknoteArrowUp}>
      Withdraw
    </HeadLink>
  )
  return (
    <>
      <PageHead title="Withdrawal history" subtitle="All your withdrawals and their status" aside={link} />
      <Card>
        <History
          route={withdrawals.history}
          csv={withdrawals.historyCsv}
          caption="Withdrawals, newest first"
          choices={[{ name: 'state', label: 'State', options: stateOptions }]}
          rowKey={({ id }) => id}
          columns={[
            {
              header: 'Amount',
              cell: ({ amount, requested_at }) => (
                <div className="grid">
                  <Money amount={amount} exact className="font-semibold" />
                  <span className="text-faint text-sm">
                    <DateTime at={requested_at} />
                  </span>
                </div>
              ),
            },
            {
              header: 'State',
              cell: (row) => (
                <div className="grid max-w-64 justify-items-start gap-1">
                  <StateBadge withdrawal={row} />
                  {row.note && <span className="text-faint text-xs">{row.note}</span>}
                </div>
              ),
            },
            { header: 'You receive', cell: ({ net }) => <Money amount={net} exact /> },
            { header: 'From', cell: ({ source }) => <span className="whitespace-nowrap">{sourceLabels[source]}</span> },
            { header: 'Transaction', cell: ({ tx_hash }) => (tx_hash ? <ExplorerLink hash={tx_hash} /> : '–') },
          ]}
          empty={
            <Empty title="No withdrawals yet" icon={<BanknoteArrowUp size={24} />}>
              Your withdrawals appear here, from the request to the last confirmation.
            </Empty>
          }
        />
      </Card>
    </>
  )
}
