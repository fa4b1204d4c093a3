import { type Hex, hashTypedData, isHex, recoverTypedDataAddress, type TypedDataDefinition } from 'viem'
import { AppError } from '../../protocol/errors.ts'
import type { Address } from '../../protocol/ids.ts'
import { SIGNATURE_MINUTES } from '../../protocol/wallet-signature.ts'
import type { Chain } from './client.ts'

/** Requires the wallet's signature over exactly this data (EIP-712, R11). The caller checks deadline and nonce. */
export async function requireTypedSignature(
  chain: Chain,
  address: Address,
  data: TypedDataDefinition,
  signature: string,
  { words, field } = { words: 'The signature does not match the wallet of this account', field: 'signature' },
): Promise<void> {
  if (await isSignedByWallet(chain, address, data, signature).catch(() => false)) return
  throw new AppError('signature_refused', words, field)
}

/** Refuses a signature that has expired, or whose deadline is so far ahead that it could be used much later. */
export function requireTimely(deadline: Date, now: Date): void {
  const minutesLeft = (deadline.getTime() - now.getTime()) / 60_000
  const refuse = (why: string) => new AppError('signature_refused', why, 'deadline')
  if (minutesLeft <= 0) throw refuse("The signature has expired. Sign again, and check your device's clock.")
  if (minutesLeft > SIGNATURE_MINUTES + 1)
    throw refuse(`The deadline must be at most ${SIGNATURE_MINUTES} minutes ahead`)
}

/**
 * Tries plain ECDSA first, and a contract wallet on chain (EIP-1271) only if that fails. Throws if the chain node does
 * not respond.
 */
export async function isSignedByWallet(
  chain: Chain,
  address: Address,
  data: TypedDataDefinition,
  signature: string,
): Promise<boolean> {
  if (!isHex(signature)) return false
  if (await isSignedByKey(address, data, signature)) return true
  if (!(await isContract(chain, address))) return false
  return chain.client.verifyTypedData({ ...data, address, signature })
}

export async function isSignedByKey(address: Address, data: TypedDataDefinition, signature: string): Promise<boolean> {
  const recovered = await recoverTypedDataAddress({ ...data, signature: signature as Hex }).catch(() => undefined)
  return recovered?.toLowerCase() === address
}

export const isContract = async ({ client }: Chain, address: Address): Promise<boolean> =>
  (await client.getCode({ address })) !== undefined

/** The hash that a wallet signs. */
export const hashSigned = (data: TypedDataDefinition): Hex => hashTypedData(data)
