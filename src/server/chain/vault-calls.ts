import { type Abi, encodeFunctionData, type Hex } from 'viem'
import type { Address } from '../../protocol/ids.ts'
import type { Chain } from './client.ts'
import { contractOf, revertOf, type VaultKey } from './vault.ts'
import { vaultAbi } from './vault-abi.ts'

/** What the owner can propose, in the order of the contract's numbers. The first four replace a key. */
export const vaultChanges = ['payer', 'publisher', 'guardian', 'owner', 'limits', 'surplus'] as const
export type VaultChange = (typeof vaultChanges)[number]

/** A change that the owner has proposed. Times are seconds. */
export type Proposal = {
  change: VaultChange
  to: Address
  micro: bigint
  singleMax: bigint
  acceptFrom: bigint
  acceptUntil: bigint
}
const ACCEPT_AFTER_SECONDS = 48n * 3_600n
const ACCEPT_WITHIN_SECONDS = 9n * 86_400n

export async function readProposals(chain: Chain): Promise<Proposal[]> {
  const found = await Promise.all(
    vaultChanges.map(async (change, at) => {
      const query = { ...contractOf(chain), functionName: 'proposals', args: [at] } as const
      const [proposedAt, to, micro, singleMax] = await chain.client.readContract(query)
      const [acceptFrom, acceptUntil] = [proposedAt + ACCEPT_AFTER_SECONDS, proposedAt + ACCEPT_WITHIN_SECONDS]
      return { change, to: to.toLowerCase() as Address, micro, singleMax, proposedAt, acceptFrom, acceptUntil }
    }),
  )
  return found.filter(({ proposedAt }) => proposedAt > 0n)
}

/** Calls of the guardian and the owner. No process has their keys, so they sign elsewhere what we print. */
export type KeyholderCall =
  | ['pause' | 'unpause']
  | ['strike', epoch: bigint]
  | ['accept' | 'cancel', VaultChange]
  | ['propose', VaultChange, to: Address, micro: bigint, singleMax: bigint]

/** Who signs it. A new owner accepts itself. */
export function callerOf([name, change]: KeyholderCall): VaultKey | 'new owner' {
  if (name === 'accept') return change === 'owner' ? 'new owner' : 'owner'
  if (name === 'cancel') return change === 'guardian' ? 'owner' : 'guardian'
  return name === 'propose' ? 'owner' : 'guardian'
}

export const encodeKeyholderCall = (call: KeyholderCall): Hex => encodeFunctionData(contractCallOf(call))

/** A change is a number in the contract. */
function contractCallOf([functionName, ...args]: KeyholderCall) {
  const numbers = args.map((value) => (isChange(value) ? vaultChanges.indexOf(value) : value))
  return { abi: vaultAbi as Abi, functionName, args: numbers }
}

const isChange = (value: unknown): value is VaultChange => (vaultChanges as readonly unknown[]).includes(value)

/** The name of the error with which the vault would refuse the call now; undefined if it would accept it. */
export async function findRefusal(chain: Chain, account: Address, call: KeyholderCall): Promise<string | undefined> {
  try {
    await chain.client.simulateContract({ address: chain.settings.vault, ...contractCallOf(call), account })
    return undefined
  } catch (error) {
    const name = revertOf(error)
    if (name === undefined) throw error
    return name
  }
}
