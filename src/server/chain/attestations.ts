import { privateKeyToAccount } from 'viem/accounts'
import { brand } from '../../protocol/brand.ts'
import type { Address } from '../../protocol/ids.ts'
import { type Attestation, type AttestationKind, attestationTypedData } from '../../verifier/attestations.ts'
import type { Chain } from './client.ts'

/** The published address that signs receipts and snapshots; undefined when no key is set. */
export const findOperatorAddress = ({ settings }: Chain): Address | undefined =>
  settings.receiptKey && (privateKeyToAccount(settings.receiptKey).address.toLowerCase() as Address)

/** Signatures are deterministic (RFC 6979), so they are not stored. */
export async function signAttestation<Kind extends AttestationKind>(
  { settings }: Chain,
  kind: Kind,
  message: Attestation<Kind>,
): Promise<{ operator: Address; signature: string } | undefined> {
  if (!settings.receiptKey) return undefined
  const account = privateKeyToAccount(settings.receiptKey)
  const data = attestationTypedData(kind, { issuer: brand.name, chainId: settings.chainId }, message)
  return { operator: account.address.toLowerCase() as Address, signature: await account.signTypedData(data) }
}
