import type { Tier } from '../../protocol/terms.ts'
import { useTerms } from '../shared/terms/use-terms.ts'

const none: Tier[] = []

/** The tiers in force; empty until they are loaded. */
export function useTiers() {
  const { terms, ...read } = useTerms()
  return { tiers: terms?.tiers ?? none, ...read }
}
