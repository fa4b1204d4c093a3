import { lazy, Suspense } from 'react'
import { TierFrames } from './tier-card.tsx'
import { WhenNear } from './when-near.tsx'

const Tiers = lazy(async () => ({ default: (await import('./tiers.tsx')).Tiers }))

/** What plans are, and their tiers. */
export function Plans() {
  return (
    <section
      id="marketplace"
      aria-labelledby="plans-title"
      className="mx-auto max-w-[1200px] px-5 py-14 sm:px-8 wide:py-20"
    >
      <h2 id="plans-title" className="mb-4 text-[clamp(2rem,6vw,3.5rem)]">
        Plans in plain numbers
      </h2>
      <p className="mb-8 max-w-[36em] text-lg text-soft wide:mb-12">
        You lock USDT for a fixed term and earn a daily reward on it. When the term ends, you get the full amount back.
        Rewards are paid from the operator's own pools and are not guaranteed: if a pool is empty, your reward waits
        until it is funded again.
      </p>
      <WhenNear placeholder={<TierFrames />}>
        <Suspense fallback={<TierFrames />}>
          <Tiers />
        </Suspense>
      </WhenNear>
    </section>
  )
}
