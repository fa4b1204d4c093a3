import type { Details } from '../../protocol/balance.ts'
import { plans } from '../../protocol/plans.ts'
import { AnimatedNumber } from '../../ui/animated-number.tsx'
import { Card } from '../../ui/card.tsx'
import { Money } from '../../ui/money.tsx'
import { Ring } from '../../ui/ring.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useRead } from '../api.ts'
import { shareOf } from './figures.ts'

const LONG_DAYS = 180

/** How long the pool lasts and how much room is left: said before anybody pays. */
export function Cover({ details }: { details: Details | undefined }) {
  const { data } = useRead(plans.offers, {})
  return (
    <div className="grid gap-5">
      <Card weight="lead" className="grid gap-4">
        <h2 className="text-xl">Reward pool</h2>
        {data ? <CoverFigure days={data.pool_cover_days} /> : <Skeleton className="h-16" />}
        <p className="text-on-panel-soft text-sm">
          That is how long the operator's own pool could pay all plans that run today, with nobody new joining. Your
          principal is never used for it.
        </p>
      </Card>
      {details && (
        <Card className="flex items-center gap-5">
          <Ring
            value={shareOf(details.planamount, details.max_amount)}
            size={84}
            stroke={9}
            label="Your plans of the cap"
          >
            <span className="figures font-semibold text-sm">
              {Math.floor(shareOf(details.planamount, details.max_amount) * 100)}%
            </span>
          </Ring>
          <div className="grid gap-0.5">
            <p className="text-faint text-sm">Your plans</p>
            <Money amount={details.planamount} className="font-display text-2xl" />
            <p className="text-faint text-sm">
              of <Money amount={details.max_amount} />
            </p>
          </div>
        </Card>
      )}
    </div>
  )
}

function CoverFigure({ days }: { days: number | null }) {
  if (days === null) return <p className="font-display text-3xl">No plan runs yet</p>
  return (
    <div className="flex items-center gap-4">
      <Ring value={Math.min(1, days / LONG_DAYS)} size={72} stroke={8} tone="lime" track="stroke-panel-line" />
      <p>
        <span className="font-display text-5xl">
          <AnimatedNumber value={days} format={(value) => value.toLocaleString('en')} />
        </span>
        <span className="ml-2 text-on-panel-soft">days of cover</span>
      </p>
    </div>
  )
}
