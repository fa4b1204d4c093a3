import { encodeFunctionData, erc20Abi, formatUnits, type Hex, parseEventLogs } from 'viem'
import type { Address } from '../../../protocol/ids.ts'
import type { Chain } from '../client.ts'
import { depositFactoryAbi } from '../deposit-abi.ts'
import { findReceipt } from '../receipts.ts'
import type { Hash } from '../tables.ts'

type TokenTransfer = { token: Address; from: Address; to: Address; amount: string }

/** What a transaction did, for operators: amounts of any token, read as if it had 18 decimals. */
export async function findTransaction(chain: Chain, hash: Hash) {
  const receipt = await findReceipt(chain, hash)
  if (!receipt) return undefined
  const logs = parseEventLogs({ abi: erc20Abi, logs: receipt.logs, eventName: 'Transfer' })
  const lower = (address: string) => address.toLowerCase() as Address
  const transfers = logs.map(
    ({ address, args }): TokenTransfer => ({
      token: lower(address),
      from: lower(args.from),
      to: lower(args.to),
      amount: formatWei(args.value),
    }),
  )
  return { block: receipt.blockNumber, hasSucceeded: receipt.status === 'success', transfers }
}

export const formatWei = (wei: bigint): string => formatUnits(wei, 18)

/** The call of the factory that sends a token from a wallet's deposit address to where it belongs. */
export const sweepData = (vault: Address, token: Address, wallet: Address): Hex =>
  encodeFunctionData({ abi: depositFactoryAbi, functionName: 'sweep', args: [vault, token, [wallet]] })
