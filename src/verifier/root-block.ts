import { asciiBytes, toHex } from './bytes.ts'
import { keccak256 } from './keccak.ts'
import type { EthRequest, VaultState } from './vault-state.ts'

const PUBLISHED = `0x${toHex(keccak256(asciiBytes('Published(uint64,bytes32,uint64,uint64,uint64)')))}`
const WORD_DIGITS = 64

export type RootBlock = { block: bigint; txHash: string }

type Log = { address: string; topics: string[]; data: string }

/**
 * The block whose transaction put the last root into the vault, according to the chain. `hashes` are those that we name:
 * one that published something else, or nothing, is passed over.
 */
export async function findRootBlock(
  request: EthRequest,
  vault: string,
  { epoch, root }: Pick<VaultState, 'epoch' | 'root'>,
  hashes: string[],
): Promise<RootBlock | undefined> {
  const isPublished = ({ address, topics, data }: Log) =>
    address.toLowerCase() === vault.toLowerCase() &&
    topics[0] === PUBLISHED &&
    BigInt(topics[1] ?? 0) === epoch &&
    data.slice(2, 2 + WORD_DIGITS) === root
  for (const txHash of hashes) {
    const receipt = await request({ method: 'eth_getTransactionReceipt', params: [txHash] })
    const { blockNumber, logs } = (receipt ?? { logs: [] }) as { blockNumber: string; logs: Log[] }
    if (logs.some(isPublished)) return { block: BigInt(blockNumber), txHash }
  }
  return undefined
}
