import { ArrowLeftRight } from 'lucide-react'
import { transfers } from '../../protocol/transfers.ts'
import { shownName } from '../../protocol/users.ts'
import { Card } from '../../ui/card.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { Empty } from '../../ui/states.tsx'
import { useEvent } from '../shared/api/events.ts'
import { History } from '../shared/history/history.tsx'
import { sourceLabels } from '../shared/money/source-picker.tsx'
import { HeadLink, PageHead } from '../shared/page/page-head.tsx'
import { Direction, SignedAmount } from './direction.tsx'
import { refresh } from './use-transfer.ts'

const choices = [
  {
    name: 'direction',
    label: 'Direction',
    options: [
      { value: '', label: 'Sent and received' },
      { value: 'in', label: 'Received' },
      { value: 'out', label: 'Sent' },
    ],
  },
]

const refreshNow = () => void refresh()

/** Sent and received transfers in one list, updated live. */
export function TransferHistoryPage() {
  useEvent('balance', refreshNow)
  useEvent('resync', refreshNow)
  const link = (
    <HeadLink to="/user/internal-transfer" icon={ArrowLeftRight}>
      Send
    </HeadLink>
  )
  return (
    <>
      <PageHead title="Internal Transfer history" subtitle="All transfers you sent and received" aside={link} />
      <Card>
        <History
          route={transfers.history}
          csv={transfers.historyCsv}
          caption="Transfers, newest first"
          choices={choices}
          rowKey={({ id }) => id}
          stacked
          columns={[
            {
              header: 'With',
              cell: ({ direction, username, note, sent_at }) => (
                <span className="flex items-start gap-3">
                  <Direction direction={direction} />
                  <span className="grid">
                    <span className="font-medium">{shownName(username)}</span>
                    {note && <span className="wrap-anywhere max-w-80 text-soft text-sm">{note}</span>}
                    <span className="text-faint text-sm">
                      <DateTime at={sent_at} />
                    </span>
                  </span>
                </span>
              ),
            },
            { header: 'Amount', cell: (row) => <SignedAmount direction={row.direction} amount={row.amount} /> },
            {
              header: 'Balance',
              cell: ({ direction, source }) => (
                <span className="whitespace-nowrap">{sourceLabels[direction === 'in' ? 'wallet' : source]}</span>
              ),
            },
          ]}
          empty={
            <Empty title="No transfers yet" icon={<ArrowLeftRight size={24} />}>
              Transfers between you and other players appear here.
            </Empty>
          }
        />
      </Card>
    </>
  )
}
