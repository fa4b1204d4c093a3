import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { concatHex, encodeAbiParameters, type Hex, parseAbiParameters } from 'viem'
import type { Address } from '../../protocol/ids.ts'
import { compileEach, readContracts } from './compile.ts'

/** What a vault is deployed with. Limits are micro-USDT. Only the limits of 24 hours and of one payout can change later. */
export type VaultPlan = {
  token: Address
  payer: Address
  publisher: Address
  guardian: Address
  owner: Address
  dailyMax: bigint
  singleMax: bigint
  floor: bigint
}

export const VAULT_CODE_FILE = join(import.meta.dirname, '../../../contracts/Vault.hex')

/** Compiles contracts/Vault.sol. A test compares the result with the stored code. */
export async function compileVault(): Promise<Hex> {
  const [{ Vault } = {}] = await compileEach([readContracts('Vault.sol', 'VaultChanges.sol', 'VaultTree.sol')])
  if (!Vault) throw new Error('the vault is missing')
  return Vault
}

/**
 * The creation code of the vault, without its parameters. It is stored, so that what is deployed and checked is what was
 * reviewed, and no process has to compile.
 */
export const readVaultCode = (): Hex => readFileSync(VAULT_CODE_FILE, 'utf8').trim() as Hex

const parameters = parseAbiParameters('address, address[4], uint64, uint64, uint64')

/** The parameters of the constructor, as a block explorer asks for them. */
export const encodePlan = ({ token, payer, publisher, guardian, owner, dailyMax, singleMax, floor }: VaultPlan): Hex =>
  encodeAbiParameters(parameters, [token, [payer, publisher, guardian, owner], dailyMax, singleMax, floor])

export const vaultCode = (plan: VaultPlan): Hex => concatHex([readVaultCode(), encodePlan(plan)])
