import { Hourglass } from 'lucide-react'
import { Link } from 'react-router'
import type { Details } from '../../protocol/balance.ts'
import { add, type Usdt, ZERO } from '../../protocol/money.ts'
import { DAY_MS } from '../../protocol/time.ts'
import { AnimatedMoney } from '../../ui/animated-number.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { amountText, midnightUtcText } from '../../ui/format.ts'
import { Money } from '../../ui/money.tsx'
import { Ring } from '../../ui/ring.tsx'
import { useNow } from '../shared/page/use-now.ts'

/** What the plans earn today and when the next reward comes. Without a plan: the rewards that are left. */
export function Rewards({ details }: { details: Details }) {
  const { lots, today, planreward, planreff, deferred } = details
  // A plan earns from the day after its purchase.
  const earning = lots.filter(({ started_on }) => started_on < today)
  const isFirstDay = earning.length === 0
  const reward = add(...(isFirstDay ? lots : earning).map((lot) => lot.daily_reward))
  const waiting = add(deferred.reward, deferred.referral, deferred.health)
  const hasPlan = lots.length > 0
  const hasRewards = add(planreward, planreff) > ZERO
  return (
    <Card weight="lead" padding="l" className="grid content-between gap-7">
      <div className="flex items-center justify-between gap-6">
        <div className="grid gap-2">
          <h2 className="font-sans! font-medium text-base text-on-panel-soft tracking-normal!">
            {hasPlan ? `Your plans earn ${isFirstDay ? 'tomorrow' : 'today'}` : 'Your rewards'}
          </h2>
          {(hasPlan || hasRewards) && (
            <AnimatedMoney
              amount={hasPlan ? reward : add(planreward, planreff)}
              className="font-display text-4xl sm:text-5xl"
            />
          )}
          <p className="text-on-panel-soft">{noteOf(hasPlan, isFirstDay)}</p>
        </div>
        {hasPlan && <Countdown />}
      </div>
      {hasRewards && (
        <dl className="flex flex-wrap gap-x-8 gap-y-3">
          <Figure label="Daily Rewards" amount={planreward} />
          <Figure label="Referral Rewards" amount={planreff} />
        </dl>
      )}
      <Actions hasPlan={hasPlan} hasRewards={hasRewards} />
      {waiting > ZERO && (
        <p className="flex items-start gap-2 rounded-inner bg-panel-line px-4 py-3 text-sm">
          <Hourglass size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-lime" />
          You've earned another {amountText(waiting)} USDT, but the operator's pool is empty. You'll get it as soon as
          the pool is funded.
        </p>
      )}
    </Card>
  )
}

/** Reinvest or take out, side by side. Without rewards there is only the way to a plan. */
function Actions({ hasPlan, hasRewards }: { hasPlan: boolean; hasRewards: boolean }) {
  return (
    <div className="flex gap-3 *:grow sm:*:grow-0">
      {hasPlan || hasRewards ? (
        <Link
          to="/user/re-top-up"
          className={`${buttonClass({ variant: 'lime' })} max-sm:flex-col max-sm:gap-0 max-sm:leading-tight`}
        >
          Re Top Up <span className="font-normal text-sm max-sm:text-xs">reinvest rewards</span>
        </Link>
      ) : (
        <Link to="/user/plans" className={buttonClass({ variant: 'lime' })}>
          Choose a plan
        </Link>
      )}
      <Link
        to="/user/withdrawal"
        className={`${buttonClass({ variant: 'bare' })} bg-panel-line text-on-panel! hover:bg-panel-line! hover:brightness-125`}
      >
        Withdraw
      </Link>
    </div>
  )
}

function noteOf(hasPlan: boolean, isFirstDay: boolean): string {
  if (!hasPlan) return "You don't have a plan. With one, you earn a reward every day."
  const midnight = midnightUtcText(new Date())
  return isFirstDay ? `Your first reward comes after ${midnight}.` : `Paid once a day, after ${midnight}.`
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
