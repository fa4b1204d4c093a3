import type { ReactNode } from 'react'
import { Skeleton } from '../../ui/skeleton.tsx'

export const tierGridClass = 'grid gap-4 min-[560px]:grid-cols-2 wide:grid-cols-4'

type TierCardProps = { name: ReactNode; ring: ReactNode; rate: ReactNode; from: ReactNode; term: ReactNode }

/** A plan tier, with its risk next to its rate. */
export const TierCard = ({ name, ring, rate, from, term }: TierCardProps) => (
  <li className="grid content-start gap-5 rounded-card bg-surface p-6 shadow-card">
    <div className="flex items-center justify-between">
      <h3 className="text-2xl">{name}</h3>
      <div className="grid size-[52px]">{ring}</div>
    </div>
    <p>
      <span className="font-display text-4xl">{rate}</span>
      <span className="ml-1.5 text-faint">a day</span>
    </p>
    <dl className="grid gap-1.5 text-soft">
      <div className="flex justify-between gap-2">
        <dt>From</dt>
        <dd className="font-semibold text-ink">{from}</dd>
      </div>
      <div className="flex justify-between gap-2">
        <dt>Term</dt>
        <dd className="font-semibold text-ink">{term}</dd>
      </div>
    </dl>
    <p className="border-line border-t pt-3 text-faint text-sm">Not guaranteed. Locked until the term ends.</p>
  </li>
)

const blank = (width: string) => <Skeleton className={`inline-block h-[.7em] ${width}`} />

/** Cards of the same size as the tiers, until these have been read. */
export const TierFrames = () => (
  <ul aria-hidden="true" className={tierGridClass}>
    {['first', 'second', 'third', 'fourth'].map((tier) => (
      <TierCard
        key={tier}
        name={blank('w-24')}
        ring={<Skeleton className="size-[52px] rounded-full" />}
        rate={blank('w-20')}
        from={blank('w-16')}
        term={blank('w-16')}
      />
    ))}
  </ul>
)
