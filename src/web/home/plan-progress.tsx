import { Link } from 'react-router'
import type { Details } from '../../protocol/balance.ts'
import { daysBetween } from '../../protocol/time.ts'
import { Card } from '../../ui/card.tsx'
import { Money } from '../../ui/money.tsx'
import { Ring } from '../../ui/ring.tsx'

const SHOWN_MAX = 3

/** The plans that mature first. */
export function PlanProgress({ details }: { details: Details }) {
  const { lots, today } = details
  if (lots.length === 0) return null
  return (
    <Card className="grid gap-5">
      <h2 className="text-xl">Your plans</h2>
      <ul className="grid gap-4">
        {lots.slice(0, SHOWN_MAX).map((lot) => {
          const term = daysBetween(lot.started_on, lot.matures_on)
          const left = Math.max(0, daysBetween(today, lot.matures_on))
          return (
            <li key={lot.order_id} className="flex items-center gap-4">
              <Ring value={(term - left) / term} size={52} stroke={6} label={`${lot.plan_name}: ${left} days left`} />
              <div className="min-w-0 flex-1">
                <p className="truncate font-semibold">{lot.plan_name}</p>
                <p className="text-faint text-sm">
                  {left} {left === 1 ? 'day' : 'days'} left
                </p>
              </div>
              <Money amount={lot.amount} className="font-display text-lg" />
            </li>
          )
        })}
      </ul>
      {lots.length > SHOWN_MAX && (
        <Link to="/user/plans" className="font-semibold text-primary underline-offset-4 hover:underline">
          All {lots.length} plans
        </Link>
      )}
    </Card>
  )
}
