import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileEach, readContracts, type Sources } from '../../src/server/embedded/compile.ts'

export type VaultCode = { vault: `0x${string}`; token: `0x${string}` }

/** A planted bug: this text of the vault's source is replaced. `breaks` is the promise that must notice it. */
export type Bug = { name: string; from: string; to: string; breaks?: string }

/** Compiles the vault and the token of the tests. */
export async function compileVault(): Promise<VaultCode> {
  const [code] = await compileSets([readVault()])
  if (!code) throw new Error('the vault is missing')
  return code
}

/** Compiles the vault once with each planted bug. They are many and run only briefly, so they are not optimized. */
export const compileBugs = (bugs: Bug[]): Promise<VaultCode[]> =>
  compileSets(
    bugs.map((bug) => plant(readVault(), bug)),
    false,
  )

const readVault = () => readContracts('Vault.sol', 'VaultChanges.sol', 'VaultRoots.sol', 'VaultTree.sol')

/** The token is a set of its own, so that it is compiled once. */
async function compileSets(sets: Sources[], isOptimized = true): Promise<VaultCode[]> {
  const tokenSource = readFileSync(join(import.meta.dirname, 'HostileToken.sol'), 'utf8')
  const [tokens, ...vaults] = await compileEach(
    [{ 'HostileToken.sol': { content: tokenSource } }, ...sets],
    isOptimized,
  )
  return vaults.map(({ Vault }) => {
    if (!Vault || !tokens?.['HostileToken']) throw new Error('a contract is missing')
    return { vault: Vault, token: tokens['HostileToken'] }
  })
}

/** The text must occur exactly once. Otherwise the bug would no longer be the one that its name says. */
function plant(sources: Sources, { name, from, to }: Bug): Sources {
  const places = Object.values(sources).filter((source) => source.content.includes(from))
  const [place, ...others] = places
  if (!place || others.length > 0 || place.content.split(from).length !== 2)
    throw new Error(`the text of the bug "${name}" must occur exactly once in the source`)
  place.content = place.content.replace(from, () => to)
  return sources
}
