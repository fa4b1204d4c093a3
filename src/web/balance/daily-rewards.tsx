import { CalendarCheck } from 'lucide-react'
import { Link } from 'react-router'
import { type Earning, rewards } from '../../protocol/rewards.ts'
import { Badge } from '../../ui/badge.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { dayText, midnightUtcText, percentText } from '../../ui/format.ts'
import { Money } from '../../ui/money.tsx'
import { Empty } from '../../ui/states.tsx'
import type { Tone } from '../../ui/tone.ts'
import { History } from '../shared/history/history.tsx'

const states: Record<Earning['state'], { label: string; tone: Tone }> = {
  paid: { label: 'Paid', tone: 'leaf' },
  deferred: { label: 'Waiting for the pool', tone: 'sky' },
}

const choices = [
  {
    name: 'state',
    label: 'State',
    options: [
      { value: '', label: 'All rewards' },
      { value: 'paid', label: states.paid.label },
      { value: 'deferred', label: states.deferred.label },
    ],
  },
]

/** What each plan earned on each day. Home links to it by its id. */
export const DailyRewards = () => (
  <Card id="daily-rewards" className="scroll-mt-24">
    <History
      route={rewards.earnings}
      csv={rewards.earningsCsv}
      title="Daily rewards by plan"
      caption="Daily rewards, newest first"
      choices={choices}
      rowKey={({ earned_on, plan_name, plan_amount }, index) => [earned_on, plan_name, plan_amount, index].join(' ')}
      columns={[
        {
          header: 'Day',
          cell: ({ earned_on, plan_name }) => (
            <span className="grid">
              <span className="font-semibold">{dayText(earned_on)}</span>
              <span className="text-faint text-sm">{plan_name}</span>
            </span>
          ),
        },
        {
          header: 'Plan',
          cell: ({ plan_amount, daily_rate_ppm }) => (
            <span className="figures whitespace-nowrap">
              <Money amount={plan_amount} exact /> at {percentText(daily_rate_ppm)}
            </span>
          ),
        },
        { header: 'Reward', numeric: true, cell: (row) => <Part amount={row.amount} state={row.state} /> },
        {
          header: 'Health',
          numeric: true,
          cell: (row) => <Part amount={row.health_amount} state={row.health_state} />,
        },
      ]}
      empty={
        <Empty
          title="No daily rewards yet"
          icon={<CalendarCheck size={24} />}
          action={
            <Link to="/user/plans" className={buttonClass({ variant: 'outline' })}>
              See the plans
            </Link>
          }
        >
          Each plan earns once a day, after {midnightUtcText(new Date())}. The first reward comes the day after you buy
          it.
        </Empty>
      }
    />
  </Card>
)

const Part = ({ amount, state }: Pick<Earning, 'amount' | 'state'>) => (
  <span className="grid justify-items-end gap-1">
    <Money amount={amount} exact plus unit={false} />
    {state === 'deferred' && <Badge tone={states.deferred.tone}>{states.deferred.label}</Badge>}
  </span>
)
