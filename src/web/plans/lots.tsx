import { useState } from 'react'
import type { Details } from '../../protocol/balance.ts'
import { type Day, daysBetween } from '../../protocol/time.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { dateText, percentText } from '../../ui/format.ts'
import { Money } from '../../ui/money.tsx'
import { Ring } from '../../ui/ring.tsx'

const SHOWN_MAX = 6

/** The active plans. Each ring fills up until the day the principal is paid back. */
export function Lots({ lots, today }: { lots: Details['lots']; today: Day }) {
  const [all, setAll] = useState(false)
  return (
    <section aria-labelledby="lots">
      <h2 id="lots" className="mb-4 text-2xl">
        Active plans
      </h2>
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {(all ? lots : lots.slice(0, SHOWN_MAX)).map((lot) => {
          const [term, passed] = [daysBetween(lot.started_on, lot.matures_on), daysBetween(lot.started_on, today)]
          return (
            <li key={lot.order_id}>
              <Card className="flex h-full items-center gap-4">
                <Ring value={passed / term} size={72} stroke={8} label={`${passed} of ${term} days`}>
                  <span className="figures font-semibold text-sm">{Math.max(0, term - passed)}d</span>
                </Ring>
                <div className="grid min-w-0 gap-0.5">
                  <p className="truncate font-semibold">{lot.plan_name}</p>
                  <Money amount={lot.amount} className="font-display text-xl" />
                  <p className="text-faint text-sm">
                    <Money amount={lot.daily_reward} unit={false} /> a day at {percentText(lot.daily_rate_ppm)}
                  </p>
                  <p className="text-faint text-sm">paid back on {dateText(new Date(`${lot.matures_on}T00:00:00Z`))}</p>
                </div>
              </Card>
            </li>
          )
        })}
      </ul>
      {lots.length > SHOWN_MAX && !all && (
        <Button variant="quiet" size="s" className="mt-4" onClick={() => setAll(true)}>
          Show all {lots.length}
        </Button>
      )}
    </section>
  )
}
