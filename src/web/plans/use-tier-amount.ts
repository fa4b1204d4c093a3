import { useState } from 'react'
import { formatUsdt } from '../../protocol/money.ts'
import { findTier } from '../../protocol/plans.ts'
import type { Tier } from '../../protocol/terms.ts'
import { readAmount } from '../shared/money/amounts.ts'

/** The amount chooses the tier. Choosing a tier fills in its smallest amount. It starts with the smallest of all. */
export function useTierAmount(tiers: readonly Tier[]) {
  const [typed, setTyped] = useState<string>()
  const [chosen, setChosen] = useState<number>()
  const tier = tiers.find(({ packageType }) => packageType === chosen) ?? tiers[0]
  const text = typed ?? (tier ? formatUsdt(tier.from) : '')
  const change = (next: string) => {
    setTyped(next)
    const amount = readAmount(next)
    // Below the first tier and above the last there is none: the one before stays, and its form says what it takes.
    const found = amount === undefined ? undefined : findTier(tiers, amount)
    if (found) setChosen(found.packageType)
  }
  const choose = ({ packageType, from }: Tier) => {
    setChosen(packageType)
    setTyped(formatUsdt(from))
  }
  return { tier, text, change, choose }
}

export type TierAmount = ReturnType<typeof useTierAmount>
