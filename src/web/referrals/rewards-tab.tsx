import { figureText } from '../../protocol/figures.ts'
import { rewards } from '../../protocol/rewards.ts'
import type { OutputOf } from '../../protocol/route.ts'
import { Badge } from '../../ui/badge.tsx'
import { dayText } from '../../ui/format.ts'
import { Money } from '../../ui/money.tsx'
import { Empty } from '../../ui/states.tsx'
import type { Tone } from '../../ui/tone.ts'
import { PagedTable } from '../shared/page/paged-table.tsx'
import { Holds } from './holds.tsx'
import { monthText } from './month-text.ts'

type Reward = OutputOf<typeof rewards.referrals>['data'][number]

const names: Record<Reward['kind'], string> = { upline: 'Plan bought', colour: 'Colour game', royalty: 'Royalty' }
const states: Record<Reward['state'], { text: string; tone: Tone }> = {
  paid: { text: 'Paid', tone: 'leaf' },
  deferred: { text: 'Waiting for the pool', tone: 'sky' },
  held: { text: 'On hold', tone: 'gold' },
  forfeited: { text: 'Taken back', tone: 'coral' },
}

/** All referral rewards, summed up by day and level. */
export function RewardsTab({ levels }: { levels: number }) {
  return (
    <div className="grid gap-6">
      <Holds />
      <PagedTable
        route={rewards.referrals}
        caption="Reward history"
        rowKey={({ kind, earned_on, level, state, month }, index) =>
          [kind, earned_on, level, state, month, index].join(' ')
        }
        empty={
          <Empty title="No rewards yet">
            When someone up to {levels} levels below you buys a plan while yours is active, your share appears here.
          </Empty>
        }
        columns={[
          { header: 'Reward', cell: (row) => <Explanation reward={row} /> },
          {
            header: 'USDT',
            numeric: true,
            cell: (row) => <Money amount={row.amount} exact unit={false} className="font-semibold text-lg" />,
          },
        ]}
      />
    </div>
  )
}

function Explanation({ reward }: { reward: Reward }) {
  const { text, tone } = states[reward.state]
  return (
    <span className="grid gap-1">
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <strong>{names[reward.kind]}</strong>
        <Badge tone={tone}>{text}</Badge>
        <span className="text-faint text-sm">{dayText(reward.earned_on)}</span>
      </span>
      <span className="text-soft text-sm">{whyText(reward)}</span>
    </span>
  )
}

/** Where the reward comes from, without naming anyone. */
function whyText({ kind, rewards: count, level, percent, month, rank }: Reward): string {
  if (kind === 'royalty') return month ? `Your share of ${monthText(month)} as ${rank}` : 'Your share of a month'
  if (level === null) return 'From your team'
  const what = kind === 'upline' ? 'purchase' : 'bet'
  const where = level === 1 ? 'directly' : `${level} levels`
  return `${percent}% of ${figureText(count)} ${what}${count === 1 ? '' : 's'} ${where} below you`
}
