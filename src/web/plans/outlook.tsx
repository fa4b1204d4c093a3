import type { Details } from '../../protocol/balance.ts'
import { type Usdt, ZERO } from '../../protocol/money.ts'
import { dailyReward } from '../../protocol/rewards.ts'
import type { Tier } from '../../protocol/terms.ts'
import { addDays, type Day } from '../../protocol/time.ts'
import { amountText, dateText, percentText } from '../../ui/format.ts'
import { Money } from '../../ui/money.tsx'

/** The day on which the principal of a plan bought today is paid back. */
export const returnDate = (today: Day, { termDays }: Tier): string =>
  dateText(new Date(`${addDays(today, termDays)}T00:00:00Z`))

type OutlookProps = { tier: Tier; amount: Usdt | undefined; details: Details }

/** The rewards expected over the term, and the warning that they are not guaranteed. */
export function Outlook({ tier, amount = ZERO, details }: OutlookProps) {
  const { today, max_amount: planAmountMax } = details
  const daily = dailyReward(amount, tier.dailyRatePpm)
  const lines = [
    { label: `Per day, at ${percentText(tier.dailyRatePpm)}`, value: <Money amount={daily} /> },
    {
      label: `Over ${tier.termDays} days, if the pool lasts`,
      value: <Money amount={(daily * BigInt(tier.termDays)) as Usdt} />,
    },
    { label: 'You get the full amount back on', value: returnDate(today, tier) },
  ]
  return (
    <div className="grid gap-2.5 rounded-inner bg-quiet p-4">
      <dl className="grid gap-2.5">
        {lines.map(({ label, value }) => (
          <div key={label} className="flex items-baseline justify-between gap-4">
            <dt className="text-soft text-sm">{label}</dt>
            <dd className="figures whitespace-nowrap font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="border-line border-t pt-2.5 text-faint text-sm">
        Rewards are not guaranteed. They are paid from the operator's pool. If it is empty, you are paid when it is
        funded again. Your plans can hold up to {amountText(planAmountMax)} USDT in total.
      </p>
    </div>
  )
}
