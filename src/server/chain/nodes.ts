import { BaseError } from 'viem'
import type { Chain } from './client.ts'

/** How often a node's answer that leads to findings is checked before the contradiction itself is reported. */
const ASKS_MAX = 4

/** The chain through each configured node. A single node appears twice, so that its answer is checked once more. */
const secondOpinions = (chain: Chain): readonly Chain[] =>
  chain.others.length > 0 ? [chain, ...chain.others] : [chain, chain]

/**
 * The first node whose answer agrees with our records; undefined if every answer contradicts them. If no node agrees
 * and one could not answer, it throws: an unknown answer is no contradiction (R25).
 */
export async function findAgreeing(
  chain: Chain,
  agrees: (node: Chain) => Promise<boolean>,
): Promise<Chain | undefined> {
  let failure: unknown
  for (const node of secondOpinions(chain)) {
    try {
      if (await agrees(node)) return node
    } catch (error) {
      failure ??= error
    }
  }
  if (failure) throw failure
  return undefined
}

/**
 * Runs a check that depends on a node's answers. Findings count only when two checks in a row have some, the second on
 * another node if there is one; no findings need no confirmation. The check throws if it cannot be done, or if the answers keep contradicting each other.
 */
export async function confirmFindings(chain: Chain, check: (node: Chain) => Promise<string[]>): Promise<string[]> {
  let before: string[] = []
  for (let ask = 0; ask < ASKS_MAX; ask++) {
    const findings = await checkOnAny(chain, ask, check)
    if (findings.length > 0 === before.length > 0) return findings
    before = findings
  }
  throw new Error('the answers of the chain nodes contradict each other')
}

/** Uses the next node if one does not respond. */
async function checkOnAny(chain: Chain, first: number, check: (node: Chain) => Promise<string[]>): Promise<string[]> {
  const nodes = [chain, ...chain.others]
  for (let at = 0; ; at++) {
    try {
      return await check(nodes[(first + at) % nodes.length] ?? chain)
    } catch (error) {
      if (!(error instanceof BaseError) || at + 1 >= nodes.length) throw error
    }
  }
}
