import { type Withdrawal, withdrawals } from '../../protocol/withdrawals.ts'
import { Card } from '../../ui/card.tsx'
import { Money } from '../../ui/money.tsx'
import { Ring } from '../../ui/ring.tsx'
import { useRead } from '../shared/api/api.ts'
import { ExplorerLink } from '../shared/money/explorer-link.tsx'
import { FailedRead } from '../shared/page/failed-read.tsx'
import { progressOf, StateBadge, stateLabel } from './state.tsx'

/** Live progress of the newest withdrawal, from the request to the last confirmation. */
export function LatestWithdrawal({ justRequested }: { justRequested: Withdrawal | undefined }) {
  const { data, error, refetch } = useRead(withdrawals.history, { page_no: 1, page_size: 1 })
  const newest = data?.data[0]
  const shown = newest && (!justRequested || newest.requested_at >= justRequested.requested_at) ? newest : justRequested
  if (error && !shown)
    return (
      <Card>
        <FailedRead error={error} onRetry={refetch} />
      </Card>
    )
  if (!shown) return null
  const failed = shown.state === 'refused' || shown.state === 'refunded'
  return (
    <Card weight="lead" className="grid gap-4" aria-label="Your latest withdrawal" aria-live="polite">
      <div className="flex items-center gap-4">
        <Ring
          value={progressOf(shown)}
          size={64}
          stroke={7}
          tone={failed ? 'coral' : 'lime'}
          track="stroke-white/15"
          label={stateLabel(shown)}
        />
        <div className="grid gap-1">
          <p className="text-on-panel-soft text-sm">Latest withdrawal</p>
          <Money amount={shown.net} exact className="font-display text-2xl" />
        </div>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <StateBadge withdrawal={shown} />
        {shown.tx_hash && <ExplorerLink hash={shown.tx_hash} />}
      </div>
      {shown.note && <p className="text-on-panel-soft text-sm">{shown.note}</p>}
    </Card>
  )
}
