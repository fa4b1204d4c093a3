import type { Chain } from './client.ts'

/** How often an answer that leads to findings is checked before the contradiction itself is reported. */
const ASKS_MAX = 4

/**
 * The chain if one of two answers agrees with our records; undefined if both contradict them. With several nodes, an
 * answer is that of their majority. If none agrees and one failed, it throws: an unknown answer is no contradiction (R25).
 */
export async function findAgreeing(
  chain: Chain,
  agrees: (node: Chain) => Promise<boolean>,
): Promise<Chain | undefined> {
  let failure: unknown
  for (let ask = 0; ask < 2; ask++) {
    try {
      if (await agrees(chain)) return chain
    } catch (error) {
      failure ??= error
    }
  }
  if (failure) throw failure
  return undefined
}

/**
 * Runs a check that depends on the nodes' answers. Findings count only when two checks in a row have some; no findings
 * need no confirmation. The check throws if it cannot be done, or if the answers keep contradicting each other.
 */
export async function confirmFindings(chain: Chain, check: (node: Chain) => Promise<string[]>): Promise<string[]> {
  let before: string[] = []
  for (let ask = 0; ask < ASKS_MAX; ask++) {
    const findings = await check(chain)
    if (findings.length > 0 === before.length > 0) return findings
    before = findings
  }
  throw new Error('the answers of the chain nodes contradict each other')
}
