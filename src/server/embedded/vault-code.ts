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

/** The creation code of contracts/Vault.sol, without its parameters. */
export async function compileVault(): Promise<Hex> {
  const [{ Vault } = {}] = await compileEach([readContracts('Vault.sol', 'VaultChanges.sol', 'VaultTree.sol')])
  if (!Vault) throw new Error('the vault is missing')
  return Vault
}

const parameters = parseAbiParameters('address, address[4], uint64, uint64, uint64')

/** The parameters of the constructor, as a block explorer asks for them. */
export const encodePlan = ({ token, payer, publisher, guardian, owner, dailyMax, singleMax, floor }: VaultPlan): Hex =>
  encodeAbiParameters(parameters, [token, [payer, publisher, guardian, owner], dailyMax, singleMax, floor])

export const vaultCode = async (plan: VaultPlan): Promise<Hex> => concatHex([await compileVault(), encodePlan(plan)])
