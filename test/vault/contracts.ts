import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileEach, readContracts, type Sources } from '../../src/server/embedded/compile.ts'

export type VaultCode = { vault: `0x${string}`; token: `0x${string}` }

/** Compiles the vault and the token of the tests. */
export async function compileVault(): Promise<VaultCode> {
  const [code] = await compileSets([readVault()])
  if (!code) throw new Error('the vault is missing')
  return code
}

const readVault = () => readContracts('Vault.sol', 'VaultChanges.sol', 'VaultRoots.sol', 'VaultTree.sol')

/** The token is a set of its own, so that it is compiled once. */
async function compileSets(sets: Sources[]): Promise<VaultCode[]> {
  const tokenSource = readFileSync(join(import.meta.dirname, 'HostileToken.sol'), 'utf8')
  const [tokens, ...vaults] = await compileEach([{ 'HostileToken.sol': { content: tokenSource } }, ...sets])
  return vaults.map(({ Vault }) => {
    if (!Vault || !tokens?.['HostileToken']) throw new Error('a contract is missing')
    return { vault: Vault, token: tokens['HostileToken'] }
  })
}
