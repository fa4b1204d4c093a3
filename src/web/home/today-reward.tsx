import { Hourglass } from 'lucide-react'
import { Link } from 'react-router'
import type { Details } from '../../protocol/balance.ts'
import { add, formatUsdt, type Usdt, ZERO } from '../../protocol/money.ts'
import { DAY_MS } from '../../protocol/time.ts'
import { AnimatedMoney } from '../../ui/animated-number.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { midnightUtcText } from '../../ui/format.ts'
import { Money } from '../../ui/money.tsx'
import { Ring } from '../../ui/ring.tsx'
import { useNow } from '../shared/page/use-now.ts'

/** Today's reward from all plans, and a countdown to the next one. */
export function TodayReward({ details }: { details: Details }) {
  const { lots, today, planreward, planreff, deferred } = details
  const earning = lots.filter(({ started_on }) => started_on < today)
  const reward = add(...earning.map((lot) => lot.daily_reward))
  const waiting = add(deferred.reward, deferred.referral, deferred.health)
  return (
    <Card weight="lead" padding="l" className="grid content-between gap-8">
      <div className="grid grid-cols-[auto_1fr] items-center gap-x-6 gap-y-7 sm:grid-cols-[1fr_auto]">
        <div className="col-span-2 grid gap-2 sm:col-span-1">
          <h2 className="font-sans! font-medium text-base text-on-panel-soft tracking-normal!">
            Your plans earn today
          </h2>
          <AnimatedMoney amount={reward} className="font-display text-4xl sm:text-5xl" />
          <p className="text-on-panel-soft">{noteOf(lots.length, reward)}</p>
        </div>
        <Countdown />
        <dl className="grid gap-4 sm:flex sm:gap-8">
          <Figure label="Daily Rewards" amount={planreward} />
          <Figure label="Referral Rewards" amount={planreff} />
        </dl>
        <Link
          to={lots.length === 0 ? '/user/plans' : '/user/re-top-up'}
          className={`col-span-2 sm:col-span-1 ${buttonClass({ variant: 'lime' })}`}
        >
          {lots.length === 0 ? (
            'Choose a plan'
          ) : (
            <>
              Re Top Up <span className="font-normal text-sm">reinvest rewards</span>
            </>
          )}
        </Link>
      </div>
      {waiting > ZERO && (
        <p className="flex items-start gap-2 rounded-inner bg-panel-line px-4 py-3 text-sm">
          <Hourglass size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-lime" />
          You've earned another {formatUsdt(waiting)} USDT, but the operator's pool is empty. You'll get it as soon as
          the pool is funded.
        </p>
      )}
    </Card>
  )
}

function noteOf(lots: number, reward: Usdt): string {
  if (lots === 0) return "You don't have a plan yet."
  const midnight = midnightUtcText(new Date())
  return reward === ZERO ? `Your first reward comes after ${midnight}.` : `Paid once a day, after ${midnight}.`
}

const Figure = ({ label, amount }: { label: string; amount: Usdt }) => (
  <div>
    <dt className="text-on-panel-soft text-sm">{label}</dt>
    <dd>
      <Money amount={amount} className="font-display text-xl" />
    </dd>
  </div>
)

const COUNTDOWN_MS = 30_000

/** The ring closes at midnight UTC, when the next reward is due. */
function Countdown() {
  const now = useNow(COUNTDOWN_MS)
  const passed = (now % DAY_MS) / DAY_MS
  const minutes = Math.floor((DAY_MS - (now % DAY_MS)) / 60_000)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return (
    <Ring
      value={passed}
      size={116}
      stroke={11}
      tone="lime"
      track="stroke-panel-line"
      label={`Next reward in ${hours} hours and ${rest} minutes`}
    >
      <span className="figures block font-display text-lg">
        {hours}h {String(rest).padStart(2, '0')}
      </span>
      <span className="text-on-panel-soft text-xs">next reward</span>
    </Ring>
  )
}
