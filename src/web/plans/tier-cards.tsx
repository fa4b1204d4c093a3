import type { Tier } from '../../protocol/terms.ts'
import { amountText, percentText } from '../../ui/format.ts'
import { RadioCard } from '../../ui/radio-card.tsx'
import { Ring } from '../../ui/ring.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { Tone } from '../../ui/tone.ts'

const toneOf: Record<number, Tone> = { 1: 'sky', 2: 'leaf', 3: 'violet', 4: 'coral' }

type TierCardsProps = { tiers: readonly Tier[]; chosen: Tier | undefined; onChoose: (tier: Tier) => void }

/** The tiers side by side, as a radio group. */
export function TierCards({ tiers, chosen, onChoose }: TierCardsProps) {
  const daysMax = Math.max(...tiers.map(({ termDays }) => termDays))
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">Tier</legend>
      <div className={gridClass}>
        {tiers.map((tier) => (
          <RadioCard
            key={tier.name}
            name="tier"
            checked={tier === chosen}
            onChange={() => onChoose(tier)}
            className={cardClass}
          >
            <span className="flex items-start justify-between gap-2">
              <span>
                <span className="block font-display text-xl sm:text-2xl">{tier.name}</span>
                <span className="figures text-faint text-sm">from {amountText(tier.from)} USDT</span>
              </span>
              <Ring value={tier.termDays / daysMax} size={48} stroke={5} tone={toneOf[tier.packageType] ?? 'leaf'}>
                <span className="figures font-semibold text-xs">{tier.termDays}d</span>
              </Ring>
            </span>
            <span className="flex items-baseline gap-1.5">
              <span className="figures font-display text-2xl sm:text-3xl">{percentText(tier.dailyRatePpm)}</span>
              <span className="text-faint">a day</span>
            </span>
          </RadioCard>
        ))}
      </div>
    </fieldset>
  )
}

/** Cards of the same size, until the tiers have been read. */
export const TierCardFrames = () => (
  <div className={gridClass}>
    {['first', 'second', 'third', 'fourth'].map((tier) => (
      <Skeleton key={tier} className="h-[137px] rounded-card sm:h-[148px]" />
    ))}
  </div>
)

const gridClass = 'grid grid-cols-2 gap-3 lg:grid-cols-4'
const cardClass =
  'grid gap-4 rounded-card border-2 border-transparent bg-surface p-4 shadow-card sm:p-5 hover:border-line-strong has-checked:border-leaf has-checked:shadow-lift'
