import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { compileEach, readContracts, type Sources } from '../../src/server/embedded/compile.ts'
import { compileVault as compileProduct } from '../../src/server/embedded/vault-code.ts'

export type VaultCode = { vault: Hex; token: Hex }

/** A planted bug: this text of the vault's source is replaced. A sequence finds it, with or without a promise. */
export type Bug = { name: string; from: string; to: string; foundBy: string; breaks?: string }

/** Compiles the vault and the token of the tests. */
export async function compileVault(): Promise<VaultCode> {
  return { vault: await compileProduct(), token: await compileToken() }
}

/**
 * Compiles the vault once with each planted bug, in one run: this takes half the time. Each bug gets its own folder and
 * contract name. They run only briefly, so they are not optimized.
 */
export async function compileBugs(bugs: Bug[]): Promise<Map<string, VaultCode>> {
  const folders = bugs.map((bug, at) => Object.entries(plant(readVault(), bug)).map(inFolder(at)))
  const [compiled = {}] = await compileEach([Object.fromEntries(folders.flat())], false)
  const token = await compileToken()
  return new Map(bugs.map(({ name }, at) => [name, { vault: needed(compiled[`Vault${at}`]), token }]))
}

const inFolder =
  (at: number) =>
  ([name, { content }]: [string, { content: string }]) =>
    [`${at}/${name}`, { content: content.replace('contract Vault is', `contract Vault${at} is`) }] as const

const readVault = () => readContracts('Vault.sol', 'VaultChanges.sol', 'VaultTree.sol')

async function compileToken(): Promise<Hex> {
  const content = readFileSync(join(import.meta.dirname, 'HostileToken.sol'), 'utf8')
  const [{ HostileToken } = {}] = await compileEach([{ 'HostileToken.sol': { content } }])
  return needed(HostileToken)
}

function needed(code: Hex | undefined): Hex {
  if (!code) throw new Error('a contract is missing')
  return code
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
