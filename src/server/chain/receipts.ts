import { BaseError, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'
import type { Chain } from './client.ts'
import type { Hash } from './tables.ts'

/** The receipt of a chain transaction; undefined until it is mined. */
export async function findReceipt({ client }: Chain, hash: Hash): Promise<TransactionReceipt | undefined> {
  try {
    return await client.getTransactionReceipt({ hash })
  } catch (error) {
    if (error instanceof BaseError && error.walk((cause) => cause instanceof TransactionReceiptNotFoundError))
      return undefined
    throw error
  }
}
