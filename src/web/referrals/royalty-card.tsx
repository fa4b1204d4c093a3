import { figureText } from '../../protocol/figures.ts'
import type { rewards } from '../../protocol/rewards.ts'
import type { OutputOf } from '../../protocol/route.ts'
import type { Rank, Terms } from '../../protocol/terms.ts'
import type { Day } from '../../protocol/time.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Money } from '../../ui/money.tsx'
import type { useRead } from '../shared/api/api.ts'
import { FailedRead } from '../shared/page/failed-read.tsx'
import { monthText } from './month-text.ts'
import { RoyaltyClaim } from './royalty-claim.tsx'
import { RoyaltyHistory } from './royalty-history.tsx'

const panelClass = 'grid content-start gap-2 rounded-inner bg-sunken p-4 sm:p-5'
type RoyaltyRead = ReturnType<typeof useRead<typeof rewards.royaltySummary>>
type Estimate = OutputOf<typeof rewards.royaltySummary>['estimate']

/** The royalty: an estimate for this month, the claim of the last closed one, and all earlier ones. */
export function RoyaltyCard({ royalty, terms }: { royalty: RoyaltyRead; terms: Terms }) {
  if (!royalty.data)
    return (
      <Card aria-label="Royalty">
        {royalty.error && <FailedRead error={royalty.error} onRetry={royalty.refetch} />}
      </Card>
    )
  return (
    <Card aria-label="Royalty" className="grid gap-6">
      <div>
        <h2 className="font-display text-xl">Royalty</h2>
        <p className="mt-1 text-soft">
          At the end of each month, the royalty pool is shared among everyone with a rank. You can claim your share in
          the month after.
        </p>
      </div>
      <div className="grid gap-4 md:grid-cols-2">
        <ThisMonth estimate={royalty.data.estimate} lowest={terms.ranks[0]} />
        <RoyaltyClaim royalty={royalty.data} matureDays={terms.referralMatureDays} />
      </div>
      <RoyaltyHistory shares={royalty.data.shares} />
    </Card>
  )
}

type ThisMonthProps = { estimate: Estimate; lowest: Rank | undefined }

function ThisMonth({ estimate, lowest }: ThisMonthProps) {
  const { month, rank, amount, budget, weight, weight_total } = estimate
  if (!rank) return <NoRank month={month} lowest={lowest} />
  return (
    <section aria-label="This month" className={panelClass}>
      <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
        {monthText(month)} so far <Badge tone="sky">Estimate</Badge>
      </h3>
      <p className="font-display text-3xl">
        <Money amount={amount} />
      </p>
      <p className="text-sm">Your rank is {rank}.</p>
      <p className="text-soft text-sm">
        If {monthText(month)} ended now, you would get {weight} of {figureText(weight_total)} parts of{' '}
        <Money amount={budget} />. The pool, your team and other people's teams can still change this. It is not a
        promise.
      </p>
    </section>
  )
}

function NoRank({ month, lowest }: { month: Day; lowest: Rank | undefined }) {
  return (
    <section aria-label="This month" className={panelClass}>
      <h3 className="font-semibold">{monthText(month)} so far</h3>
      <p className="text-sm">You have no rank yet.</p>
      {lowest && (
        <p className="text-soft text-sm">
          {lowest.name}, the first rank, needs a team volume of <Money amount={lowest.volumeMin} /> at the end of the
          month.
        </p>
      )}
    </section>
  )
}
