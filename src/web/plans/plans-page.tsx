import { Share2 } from 'lucide-react'
import { type OrderId, plans } from '../../protocol/plans.ts'
import type { Day } from '../../protocol/time.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { dateText } from '../../ui/format.ts'
import { Money } from '../../ui/money.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Empty } from '../../ui/states.tsx'
import { useDetails } from '../shared/money/details.ts'
import { ExplorerLink } from '../shared/money/explorer-link.tsx'
import { FailedRead } from '../shared/page/failed-read.tsx'
import { PageHead } from '../shared/page/page-head.tsx'
import { PagedTable } from '../shared/page/paged-table.tsx'
import { usePayments } from '../shared/payments/use-payments.ts'
import { ShareButton } from '../shared/share/share-button.tsx'
import { Announced } from '../shared/terms/announced.tsx'
import { BuyForm } from './buy-form.tsx'
import { Cover } from './cover.tsx'
import { Lots } from './lots.tsx'
import { PurchaseProgress } from './purchase-progress.tsx'
import { keptPurchases } from './purchases.ts'
import { TierCardFrames, TierCards } from './tier-cards.tsx'
import { TopUpLink } from './top-up-link.tsx'
import { useCurrentPurchase } from './use-current-purchase.ts'
import { useTierAmount } from './use-tier-amount.ts'
import { useTiers } from './use-tiers.ts'

export function PlansPage() {
  const { details, error, refetch } = useDetails()
  const { payments, add, dismiss } = usePayments(keptPurchases, details?.pending)
  const { tiers, ...offers } = useTiers()
  const field = useTierAmount(tiers)
  const { tier } = field
  const current = useCurrentPurchase({ add, dismiss })
  return (
    <>
      <PageHead
        title="Plans"
        subtitle="Hold USDT for a term, earn a daily reward, get the full amount back."
        aside={<TopUpLink />}
      />
      <Announced announced={offers.announced} about="plans" />
      {error && !details && (
        <Card className="mb-5">
          <FailedRead error={error} onRetry={refetch} />
        </Card>
      )}
      {offers.error && !tier && (
        <Card className="mb-5">
          <FailedRead error={offers.error} onRetry={offers.refetch} />
        </Card>
      )}
      <div className="grid gap-5">
        {details &&
          payments
            .filter(({ trans_hash }) => trans_hash !== current.bought?.purchase?.trans_hash)
            .map((purchase) => (
              <PurchaseProgress key={purchase.trans_hash} purchase={purchase} details={details} onDismiss={dismiss} />
            ))}
        {tier ? <TierCards tiers={tiers} chosen={tier} onChoose={field.choose} /> : !offers.error && <TierCardFrames />}
        <div className="grid items-start gap-5 wide:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
          {details && tier ? (
            <BuyForm tiers={tiers} tier={tier} field={field} details={details} current={current} />
          ) : (
            !error && !offers.error && <Skeleton className="h-176 rounded-card sm:h-161" />
          )}
          <Cover details={details} isLost={error !== null} />
        </div>
        {details && details.lots.length > 0 && <Lots lots={details.lots} today={details.today} />}
        <PlanHistory />
      </div>
    </>
  )
}

const PlanHistory = () => (
  <Card>
    <h2 className="mb-5 text-2xl">Purchase history</h2>
    <PagedTable
      route={plans.history}
      inputFor={({ page_no, page_size }) => ({ pageno: page_no, page_size })}
      caption="Plans bought"
      columns={[
        {
          header: 'Plan',
          cell: (row) => (
            <>
              <span className="block font-semibold">{row.Plan_name}</span>
              <span className="whitespace-nowrap text-faint text-sm">{dateText(row.start_date)}</span>
              {row.matured_on && <Matured order={row.order_id} on={row.matured_on} />}
            </>
          ),
        },
        { header: 'Amount', cell: (row) => <Money amount={row.Plan_Amount} exact />, numeric: true },
        { header: 'Transaction', cell: (row) => <Origin hash={row.trans_hash} /> },
      ]}
      rowKey={(row) => `${row.order_id} ${row.package_type}`}
      empty={<Empty title="No plans yet">Your first plan appears here as soon as it is active.</Empty>}
    />
  </Card>
)

/** A plan that was paid back, and the button that shows it to a friend. */
const Matured = ({ order, on }: { order: OrderId; on: Day }) => (
  <ShareButton what={{ kind: 'plan', order }}>
    {(open, busy) => (
      <span className="mt-1 flex flex-wrap items-center gap-2">
        <Badge tone="leaf">Paid back on {dateText(new Date(`${on}T00:00:00Z`))}</Badge>
        <Button variant="quiet" size="s" busy={busy} icon={<Share2 size={16} aria-hidden="true" />} onClick={open}>
          Share
        </Button>
      </span>
    )}
  </ShareButton>
)

const Origin = ({ hash }: { hash: string }) =>
  hash.startsWith('0x') ? <ExplorerLink hash={hash} /> : <span className="text-faint">inside Wellplay</span>
