import { micro, type Usdt } from '../../protocol/money.ts'
import type { Tier } from '../../protocol/terms.ts'

const STEPS_PER_TIER = 20n
const ROUND_STEPS = [1n, 2n, 5n, 10n, 20n, 25n, 50n, 100n, 200n, 250n, 500n, 1_000n]
const USDT = 1_000_000n

/**
 * The amounts on the slider. Each tier gets about as many steps as the others, so that a thumb can reach the small
 * amounts of the first tier and the large ones of the last.
 */
export function amountSteps(tiers: readonly Tier[]): Usdt[] {
  return tiers.flatMap(({ from, to }) => {
    const wanted = (to - from) / STEPS_PER_TIER
    const step = (ROUND_STEPS.find((round) => round * USDT >= wanted) ?? wanted / USDT + 1n) * USDT
    const count = Number((to - from) / step)
    const steps = Array.from({ length: count + 1 }, (_, at) => micro(from + BigInt(at) * step))
    const last = micro(to - (to % USDT))
    return steps.at(-1) === last || to % USDT !== 0n ? steps : [...steps, last]
  })
}

/** The position of an amount on the slider: its last step that is not above it. */
export const stepOf = (steps: readonly Usdt[], amount: Usdt | undefined): number =>
  Math.max(
    0,
    steps.findLastIndex((step) => amount !== undefined && step <= amount),
  )
