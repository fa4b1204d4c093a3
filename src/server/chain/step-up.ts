import { type Hex, isHex, recoverTypedDataAddress, type TypedDataDefinition } from 'viem'
import { AppError } from '../../protocol/errors.ts'
import type { Address } from '../../protocol/ids.ts'
import type { Chain } from './client.ts'

/**
 * Requires the wallet's signature over exactly this data (EIP-712, R11). Tries plain ECDSA first, and a contract wallet
 * on chain (EIP-1271) only if that fails. The caller checks deadline and nonce.
 */
export async function requireTypedSignature(
  { client }: Chain,
  address: Address,
  data: TypedDataDefinition,
  signature: string,
): Promise<void> {
  if (isHex(signature) && (await isSignedBy())) return
  throw new AppError('signature_refused', 'The signature does not match the wallet of this account', 'signature')

  async function isSignedBy(): Promise<boolean> {
    const hex = signature as Hex
    const recovered = await recoverTypedDataAddress({ ...data, signature: hex }).catch(() => undefined)
    if (recovered?.toLowerCase() === address) return true
    const code = await client.getCode({ address }).catch(() => undefined)
    if (!code) return false
    return client.verifyTypedData({ ...data, address, signature: hex }).catch(() => false)
  }
}
