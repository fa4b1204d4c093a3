import type { Details } from '../../protocol/balance.ts'
import { add, type Usdt, ZERO } from '../../protocol/money.ts'
import { findTier } from '../../protocol/plans.ts'
import { dailyReward } from '../../protocol/rewards.ts'
import { TOP_UP_FEE_ABOVE, TOP_UP_FEE_PERCENT, type TopUpParts } from '../../protocol/top-up.ts'
import { Card } from '../../ui/card.tsx'
import { amountText, percentText } from '../../ui/format.ts'
import { Money } from '../../ui/money.tsx'
import { Ring } from '../../ui/ring.tsx'
import { FailedLine } from '../shared/page/failed-read.tsx'
import { shareOf } from './figures.ts'
import { useTiers } from './use-tiers.ts'

const FEE_LABEL = `Fee, ${TOP_UP_FEE_PERCENT}% for plans above ${amountText(TOP_UP_FEE_ABOVE)} USDT`

type PreviewProps = { details: Details; whole: Usdt | undefined; parts: TopUpParts | undefined }

/** Previews the plan after the top-up, while the user types. */
export function TopUpPreview({ details, whole, parts }: PreviewProps) {
  const main = parts?.main ?? ZERO
  const after = add(details.planamount, main)
  const { tiers, error } = useTiers()
  const tier = findTier(tiers, after)
  return (
    <Card className="grid gap-5">
      <div className="flex items-center gap-4">
        <Ring value={shareOf(after, details.max_amount)} size={72} stroke={8} label="Share of your cap in use">
          <span className="figures font-semibold text-xs">{Math.floor(shareOf(after, details.max_amount) * 100)}%</span>
        </Ring>
        <div>
          <p className="text-faint text-sm">{main > ZERO ? 'Your plan afterwards' : 'Your plan now'}</p>
          <Money amount={after} className="font-display text-2xl" />
        </div>
      </div>
      {whole !== undefined && whole > ZERO && (
        <dl className="grid gap-2 border-line border-t pt-4 text-sm">
          <Line label="Goes to your plan" amount={main} />
          {parts && parts.fee > ZERO && <Line label={FEE_LABEL} amount={parts.fee} />}
          {tier && (
            <Line
              label={`Per day, at ${percentText(tier.dailyRatePpm)}`}
              amount={dailyReward(main, tier.dailyRatePpm)}
            />
          )}
        </dl>
      )}
      {error && <FailedLine error={error} />}
      <p className="text-faint text-sm">
        {tier && main > ZERO ? `Held for ${tier.termDays} days, then paid back to you. ` : ''}
        Rewards come from the operator's pool and are not guaranteed. If it is empty, you are paid when it is funded
        again.
      </p>
    </Card>
  )
}

const Line = ({ label, amount }: { label: string; amount: Usdt }) => (
  <div className="flex justify-between gap-3">
    <dt className="text-soft">{label}</dt>
    <dd>
      <Money amount={amount} className="font-semibold" />
    </dd>
  </div>
)
