import { ArrowDownToLine, CalendarCheck, Undo2 } from 'lucide-react'
import type { Details } from '../../protocol/balance.ts'
import { plans } from '../../protocol/plans.ts'
import { AnimatedNumber } from '../../ui/animated-number.tsx'
import { Card } from '../../ui/card.tsx'
import { Money } from '../../ui/money.tsx'
import { Ring } from '../../ui/ring.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useRead } from '../shared/api/api.ts'
import { shareOf } from './figures.ts'

/** How long the pool lasts and how much room is left: said before anybody pays. */
export function Cover({ details }: { details: Details | undefined }) {
  const { data } = useRead(plans.offers, {})
  return (
    <div className="grid gap-5">
      <Card weight="lead" className="grid gap-4">
        <h2 className="text-xl">Reward pool</h2>
        {data ? (
          <CoverFigure days={data.pool_cover_days} full={Math.max(...data.data.map((tier) => tier.term_days))} />
        ) : (
          <Skeleton className="h-16" />
        )}
        <p className="text-on-panel-soft text-sm">
          {data?.pool_cover_days === null
            ? "Rewards are paid from the operator's own pool. "
            : "So long the operator's own pool could pay all plans that run today, with nobody new joining. "}
          Your principal is never used for it.
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
      <Way />
    </div>
  )
}

const way = [
  { icon: ArrowDownToLine, title: 'You pay once', text: 'The plan starts as soon as the transfer is final.' },
  {
    icon: CalendarCheck,
    title: 'It earns by the day',
    text: 'Yours to withdraw or to top up with, every midnight UTC.',
  },
  { icon: Undo2, title: 'It comes back whole', text: 'On the last day, to your wallet balance. Not before.' },
]

/** Where the money is from the first day to the last. */
const Way = () => (
  <Card aria-label="How a plan goes">
    <ol className="grid gap-4">
      {way.map(({ icon: Icon, title, text }) => (
        <li key={title} className="flex items-start gap-3.5">
          <span className="grid size-10 shrink-0 place-items-center rounded-full bg-leaf-tint text-leaf-ink">
            <Icon size={18} aria-hidden="true" />
          </span>
          <div>
            <p className="font-semibold">{title}</p>
            <p className="text-faint text-sm">{text}</p>
          </div>
        </li>
      ))}
    </ol>
  </Card>
)

/** The ring is full when the pool lasts for the longest term. */
function CoverFigure({ days, full }: { days: number | null; full: number }) {
  if (days === null) return <p className="font-display text-3xl">No plan runs yet</p>
  return (
    <div className="flex items-center gap-4">
      <Ring value={Math.min(1, days / full)} size={72} stroke={8} tone="lime" track="stroke-panel-line" />
      <p className="grid">
        <span className="font-display text-4xl">
          <AnimatedNumber value={days} format={(value) => value.toLocaleString('en')} />
        </span>
        <span className="text-on-panel-soft">days of cover</span>
      </p>
    </div>
  )
}
