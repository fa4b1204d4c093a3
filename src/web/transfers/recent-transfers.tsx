import { ArrowLeftRight } from 'lucide-react'
import { transfers } from '../../protocol/transfers.ts'
import { shownName } from '../../protocol/users.ts'
import { Card } from '../../ui/card.tsx'
import { dateTimeText } from '../../ui/format.ts'
import { SkeletonText } from '../../ui/skeleton.tsx'
import { Empty } from '../../ui/states.tsx'
import { useRead } from '../shared/api/api.ts'
import { FailedRead } from '../shared/page/failed-read.tsx'
import { Direction, SignedAmount } from './direction.tsx'

const SHOWN = 4

/** The latest transfers, so that users see immediately what arrived. */
export function RecentTransfers() {
  const read = useRead(transfers.history, { page_no: 1, page_size: SHOWN })
  const rows = read.data?.data ?? []
  return (
    <Card className="grid gap-4" aria-label="Latest transfers" aria-live="polite">
      <h2 className="text-lg">Latest</h2>
      {read.data && rows.length === 0 ? (
        <Empty title="No transfers yet" icon={<ArrowLeftRight size={24} />}>
          Transfers you send or receive appear here immediately.
        </Empty>
      ) : read.data ? (
        <ul className="grid gap-3">
          {rows.map(({ id, direction, username, amount, sent_at }) => (
            <li key={id} className="flex animate-fade items-center gap-3">
              <Direction direction={direction} />
              <div className="grid min-w-0 flex-1">
                <span className="truncate font-medium">{shownName(username)}</span>
                <span className="text-faint text-xs">{dateTimeText(sent_at)}</span>
              </div>
              <SignedAmount direction={direction} amount={amount} />
            </li>
          ))}
        </ul>
      ) : read.error ? (
        <FailedRead error={read.error} onRetry={read.refetch} />
      ) : (
        <SkeletonText lines={4} />
      )}
    </Card>
  )
}
