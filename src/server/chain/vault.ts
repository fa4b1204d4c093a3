import { BaseError, ContractFunctionRevertedError } from 'viem'
import type { Address } from '../../protocol/ids.ts'
import { vaultCode } from '../embedded/vault-code.ts'
import type { Chain } from './client.ts'
import type { Hash } from './tables.ts'
import { vaultAbi } from './vault-abi.ts'

/** The vault's keys, in the order of the contract's numbers. */
export const vaultKeys = ['payer', 'publisher', 'guardian', 'owner'] as const
export type VaultKey = (typeof vaultKeys)[number]

/** Where a withdrawal id is in the contract. Only an unused one can be paid or voided. */
const idStates = ['unused', 'paid', 'voided'] as const
export type IdState = (typeof idStates)[number]

/** The newest block, or one block by its hash: a node that does not have it throws. */
type At = { blockHash?: Hash }

/** The figures of the vault. Amounts are micro-USDT, times are seconds. */
export type VaultFigures = {
  /** The last root that is not struck; 0 if there is none. Then `total` and `takenAt` are 0 too. */
  epoch: bigint
  root: Hash
  total: bigint
  takenAt: bigint
  publishedAt: bigint
  held: bigint
  paidTotal: bigint
  /** What left in this hour and the 24 before it, and the most that may. */
  left: bigint
  limit: bigint
  singleMax: bigint
  isPaused: boolean
  /** When exits opened; 0 if not. */
  openedAt: bigint
  /** The time of the block. */
  now: bigint
}

/** Reads all figures at one block. */
export async function readVault(chain: Chain, at: At = {}): Promise<VaultFigures> {
  const block = await chain.client.getBlock(at.blockHash ? { blockHash: at.blockHash } : { blockTag: 'latest' })
  const place = at.blockHash ? { blockHash: at.blockHash } : { blockNumber: block.number }
  const query = { ...contractOf(chain), ...place }
  const read = chain.client.readContract
  const [epoch, held, paidTotal, left, limit, singleMax, isPaused, openedAt] = await Promise.all([
    read({ ...query, functionName: 'epoch' }),
    read({ ...query, functionName: 'held' }),
    read({ ...query, functionName: 'paidTotal' }),
    read({ ...query, functionName: 'leftInWindow' }),
    read({ ...query, functionName: 'limit' }),
    read({ ...query, functionName: 'singleMax' }),
    read({ ...query, functionName: 'paused' }),
    read({ ...query, functionName: 'openedAt' }),
  ])
  const root = await read({ ...query, functionName: 'rootAt', args: [epoch] })
  const [total, takenAt, publishedAt] = await read({ ...query, functionName: 'roots', args: [root] })
  const state = { isPaused, openedAt, now: block.timestamp }
  return { epoch, root, total, takenAt, publishedAt, held, paidTotal, left, limit, singleMax, ...state }
}

export async function readIdState(chain: Chain, id: Hash, at: At = {}): Promise<IdState> {
  const state = await chain.client.readContract({ ...contractOf(chain), ...at, functionName: 'ids', args: [id] })
  return idStates[state] ?? 'unused'
}

export async function readVaultKeys(chain: Chain): Promise<Record<VaultKey, Address>> {
  const read = (key: VaultKey) =>
    chain.client.readContract({ ...contractOf(chain), functionName: 'keys', args: [vaultKeys.indexOf(key)] })
  const [payer, publisher, guardian, owner] = await Promise.all([
    read('payer'),
    read('publisher'),
    read('guardian'),
    read('owner'),
  ])
  return { payer: lower(payer), publisher: lower(publisher), guardian: lower(guardian), owner: lower(owner) }
}

export const readVaultToken = async (chain: Chain): Promise<Address> =>
  lower(await chain.client.readContract({ ...contractOf(chain), functionName: 'token' }))

const lower = (address: string) => address.toLowerCase() as Address

export const contractOf = ({ settings }: Chain) => ({ address: settings.vault, abi: vaultAbi }) as const

/** The name of the vault's error that reverted a call; undefined if the call failed for another reason. */
export function revertOf(error: unknown): string | undefined {
  const reverted = error instanceof BaseError && error.walk((cause) => cause instanceof ContractFunctionRevertedError)
  return reverted instanceof ContractFunctionRevertedError ? (reverted.data?.errorName ?? 'unknown') : undefined
}

/**
 * Whether the contract in the settings is our vault. The node runs the constructor with the vault's own token and floor,
 * which are part of the code, and returns the code that a new vault would have.
 */
export async function isOurCode(chain: Chain): Promise<boolean> {
  const { client, settings } = chain
  const [code, token, floor] = await Promise.all([
    client.getCode({ address: settings.vault }),
    readVaultToken(chain),
    client.readContract({ ...contractOf(chain), functionName: 'floor' }),
  ])
  const anyKeys = { payer: keyNumber(1), publisher: keyNumber(2), guardian: keyNumber(3), owner: keyNumber(4) }
  const data = vaultCode({ token, floor, dailyMax: 0n, singleMax: 0n, ...anyKeys })
  const { data: expected } = await client.call({ data })
  return code !== undefined && code === expected
}

const keyNumber = (number: number): Address => `0x${number.toString(16).padStart(40, '0')}`
