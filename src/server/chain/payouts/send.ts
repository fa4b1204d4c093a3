import { BaseError } from 'viem'
import type { Address } from '../../../protocol/ids.ts'
import type { Chain } from '../client.ts'
import type { FinalHead } from '../deposits/prove.ts'
import { findReceipt } from '../receipts.ts'
import type { Hash } from '../tables.ts'
import type { OpenPayout } from './payouts.ts'

type Attempts = Pick<OpenPayout, 'attempts'>

/** The node already has it, or one of our attempts used the nonce. Both mean that it was sent before. */
const SENT_BEFORE = /already known|already imported|known transaction|nonce too low|nonce is too low/i

/** Sends the newest attempt of a payout. Returns false if the node did not accept it; it is sent again later. */
export async function sendPayout({ client }: Chain, payout: Attempts): Promise<boolean> {
  const raw = payout.attempts.at(-1)?.raw
  if (!raw) return false
  try {
    await client.sendRawTransaction({ serializedTransaction: raw })
    return true
  } catch (error) {
    return SENT_BEFORE.test(error instanceof BaseError ? `${error.details} ${error.message}` : String(error))
  }
}

/** A payout's status on chain. A `mined` one can still be undone by a reorg; only `isFinal` is certain. */
export type Standing =
  | { mined: false }
  | { mined: true; txHash: Hash; succeeded: boolean; confirmations: number; needed: number; isFinal: boolean }

export async function readStanding(chain: Chain, payout: Attempts, head: FinalHead): Promise<Standing> {
  const needed = Number(head.latest - head.number) + 1
  for (const { txHash } of payout.attempts.toReversed()) {
    const receipt = await findReceipt(chain, txHash)
    if (!receipt || receipt.blockNumber > head.latest) continue
    const block = await chain.client.getBlock({ blockNumber: receipt.blockNumber })
    if (block.hash !== receipt.blockHash) continue
    const confirmations = Number(head.latest - receipt.blockNumber) + 1
    const succeeded = receipt.status === 'success'
    return { mined: true, txHash, succeeded, confirmations, needed, isFinal: receipt.blockNumber <= head.number }
  }
  return { mined: false }
}

/** How many transactions a wallet had sent as of a block, or until now. */
export async function readNonceAt({ client }: Chain, address: Address, blockNumber?: bigint): Promise<bigint> {
  const at = blockNumber === undefined ? ({ blockTag: 'latest' } as const) : { blockNumber }
  return BigInt(await client.getTransactionCount({ address, ...at }))
}
