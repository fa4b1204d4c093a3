import { useMemo } from 'react'
import { plans } from '../../protocol/plans.ts'
import type { OutputOf } from '../../protocol/route.ts'
import type { Tier } from '../../protocol/terms.ts'
import { useRead } from '../shared/api/api.ts'

/** The tiers that the server offers now; empty until they are loaded. */
export function useTiers() {
  const { data, error, refetch } = useRead(plans.offers, {})
  const tiers = useMemo(() => data?.data.map(tierOf) ?? [], [data])
  return { tiers, error, refetch }
}

type Offer = OutputOf<typeof plans.offers>['data'][number]

const tierOf = (offer: Offer): Tier => ({
  name: offer.name,
  packageType: offer.package_type,
  from: offer.amount_min,
  to: offer.amount_max,
  dailyRatePpm: BigInt(offer.daily_rate_ppm),
  termDays: offer.term_days,
})
