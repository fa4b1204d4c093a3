import { ArrowDownToLine, CalendarCheck, Undo2 } from 'lucide-react'
import type { Details } from '../../protocol/balance.ts'
import { figureText } from '../../protocol/figures.ts'
import { plans } from '../../protocol/plans.ts'
import { AnimatedNumber } from '../../ui/animated-number.tsx'
import { Card } from '../../ui/card.tsx'
import { midnightUtcText } from '../../ui/format.ts'
import { Money } from '../../ui/money.tsx'
import { Ring } from '../../ui/ring.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useRead } from '../shared/api/api.ts'
import { FailedLine } from '../shared/page/failed-read.tsx'
import { shareOf } from './figures.ts'

/** Shows how long the pool lasts and how much of the user's cap is used, before they pay. */
export function Cover({ details, isLost }: { details: Details | undefined; isLost: boolean }) {
  const { data, error } = useRead(plans.offers, {})
  return (
    <div className="grid gap-5">
      <Card weight="lead" className="grid gap-4">
        <h2 className="text-xl">Reward pool</h2>
        {data ? (
          <CoverFigure days={data.pool_cover_days} full={Math.max(...data.data.map((tier) => tier.term_days))} />
        ) : (
          !error && <Skeleton className="h-18" />
        )}
        {error && !data && <FailedLine error={error} />}
        <p className="text-on-panel-soft text-sm">
          {data?.pool_cover_days === null
            ? "Rewards are paid from the operator's own money. "
            : "How long the operator's pool can pay today's plans if nobody new joins. "}
          Your principal is never used for rewards.
        </p>
      </Card>
      {details ? <Yours details={details} /> : !isLost && <Skeleton className="h-31 rounded-card sm:h-33" />}
      <PlanSteps />
    </div>
  )
}

/** How much of the cap is in plans. */
const Yours = ({ details }: { details: Details }) => (
  <Card className="flex items-center gap-5">
    <Ring value={shareOf(details.planamount, details.max_amount)} size={84} stroke={9} label="Share of your cap in use">
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
)

const planSteps = (midnight: string) => [
  { icon: ArrowDownToLine, title: 'You pay once', text: 'The plan starts as soon as the transfer is final.' },
  {
    icon: CalendarCheck,
    title: 'You earn every day',
    text: `Rewards arrive at ${midnight}. Withdraw them or top up your plan.`,
  },
  { icon: Undo2, title: 'You get it all back', text: 'On the last day, in your wallet balance. Not earlier.' },
]

/** What happens to the money from the first day to the last. */
const PlanSteps = () => (
  <Card aria-label="How a plan works">
    <ol className="grid gap-4">
      {planSteps(midnightUtcText(new Date())).map(({ icon: Icon, title, text }) => (
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
  if (days === null) return <p className="font-display text-3xl">No plans to pay yet</p>
  return (
    <div className="flex items-center gap-4">
      <Ring value={Math.min(1, days / full)} size={72} stroke={8} tone="lime" track="stroke-panel-line" />
      <p className="grid">
        <span className="font-display text-4xl">
          <AnimatedNumber value={days} format={figureText} />
        </span>
        <span className="text-on-panel-soft">days of cover</span>
      </p>
    </div>
  )
}
