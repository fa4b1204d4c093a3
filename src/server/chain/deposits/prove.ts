import { decodeEventLog, erc20Abi, formatEther, type Log, type TransactionReceipt, toEventSelector } from 'viem'
import { AppError } from '../../../protocol/errors.ts'
import type { Address } from '../../../protocol/ids.ts'
import { formatUsdt, type Usdt, WEI_PER_MICRO } from '../../../protocol/money.ts'
import type { Chain } from '../client.ts'
import { findReceipt } from '../receipts.ts'
import type { Hash } from '../tables.ts'

/** How deep a block counts as final when the node's `finalized` tag lags or is missing (R9). */
const FINAL_DEPTH = 240n
const TRANSFER = toEventSelector('Transfer(address,address,uint256)')

export type Expectation = { from: Address; amount: Usdt }
/** `confirmations` counts the block itself; at `needed` the payment is final. */
export type Proof = { state: 'pending' | 'final'; confirmations: number; needed: number }

/**
 * Checks that a transaction pays what was claimed (R9). Throws the reason if it never can. A hash that the node has not
 * seen yet is pending, because the claim may arrive before the transaction.
 */
export async function proveDeposit(chain: Chain, hash: Hash, expected: Expectation): Promise<Proof> {
  return withNode(async () => {
    const head = await readFinalHead(chain)
    const receipt = await findReceipt(chain, hash)
    if (!receipt) return { state: 'pending', confirmations: 0, needed: neededOf(head) }
    checkReceipt(chain, receipt, expected)
    const needed = neededOf(head)
    const block = await chain.client.getBlock({ blockNumber: receipt.blockNumber })
    // A reorg has just replaced the receipt's block: the transaction will be mined again.
    if (block.hash !== receipt.blockHash) return { state: 'pending', confirmations: 0, needed }
    const confirmations = Number(head.latest - receipt.blockNumber + 1n)
    return { state: receipt.blockNumber <= head.number ? 'final' : 'pending', confirmations, needed }
  })
}

function checkReceipt({ settings }: Chain, receipt: TransactionReceipt, { from, amount }: Expectation): void {
  if (receipt.status !== 'success') throw refuse('The transaction failed on chain: no money was moved')
  const payments = usdtPayments(receipt.logs, settings.usdt)
  if (payments.length === 0) throw refuse('The transaction does not move USDT on this network')
  const toUs = payments.filter(({ to }) => to === settings.vault)
  if (toUs.length === 0) throw refuse('The transaction does not pay our address')
  const own = toUs.filter((payment) => payment.from === from)
  if (own.length === 0) throw refuse('The transaction was not paid from your wallet')
  if (own.some(({ valueWei }) => valueWei === amount * WEI_PER_MICRO)) return
  const found = own.map(({ valueWei }) => formatEther(valueWei)).join(' and ')
  throw refuse(`The transaction pays ${found} USDT, not ${formatUsdt(amount)}`)
}

const refuse = (why: string) => new AppError('payment_refused', why, 'trans_hash')

export type UsdtPayment = { ordinal: number; from: Address; to: Address; valueWei: bigint }

/** The USDT payments in one receipt. `ordinal` is the position among them. */
export function usdtPayments(logs: Log[], usdt: Address): UsdtPayment[] {
  return logs
    .filter(({ address, topics }) => address.toLowerCase() === usdt && topics[0] === TRANSFER && topics.length === 3)
    .map(({ data, topics }, ordinal) => {
      const { args } = decodeEventLog({ abi: erc20Abi, eventName: 'Transfer', data, topics })
      const [from, to] = [args.from.toLowerCase() as Address, args.to.toLowerCase() as Address]
      return { ordinal, from, to, valueWei: args.value }
    })
}

export type FinalHead = { number: bigint; latest: bigint }

/** The newest block that counts as final. Throws if the node serves another chain. */
export async function readFinalHead({ client, settings }: Chain): Promise<FinalHead> {
  const [chainId, latest, finalized] = await Promise.all([
    client.getChainId(),
    client.getBlock({ blockTag: 'latest' }),
    client.getBlock({ blockTag: 'finalized' }).catch(() => undefined),
  ])
  if (chainId !== settings.chainId) throw new Error(`the node serves chain ${chainId}, not ${settings.chainId}`)
  const deep = latest.number > FINAL_DEPTH ? latest.number - FINAL_DEPTH : 0n
  const isLagging = finalized === undefined || finalized.number < deep
  return { number: isLagging ? deep : finalized.number, latest: latest.number }
}

// How many confirmations a transaction needs to be final, estimated from the current lag of finality.
export const neededOf = ({ number, latest }: FinalHead) => Number(latest - number) + 1

/** Turns a failure of the node into an error that tells the user to try again. */
export async function withNode<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError(
      'chain_unavailable',
      'The chain node is not responding. Nothing was lost. Please try again.',
      undefined,
      2,
    )
  }
}
