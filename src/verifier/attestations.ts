import { asciiBytes, fromHex, joinBytes } from './bytes.ts'
import { keccak256 } from './keccak.ts'

/**
 * Documents that the operator signs for users to keep (EIP-712). Every field is text, so users read exactly what is
 * signed. Anyone with the file and the operator's address can verify it without us.
 */
export const attestations = {
  Receipt: ['user', 'wallet', 'account', 'number', 'movement', 'reference', 'amount', 'balance_after', 'posted_at'],
  Snapshot: ['id', 'taken_on', 'taken_at', 'root', 'total', 'users'],
} as const

export type AttestationKind = keyof typeof attestations
export type Attestation<Kind extends AttestationKind> = Record<(typeof attestations)[Kind][number], string>

/** EIP-712 typed data, in the form that wallets and libraries accept. */
export const attestationTypedData = <Kind extends AttestationKind>(
  kind: Kind,
  { issuer, chainId }: { issuer: string; chainId: number },
  message: Attestation<Kind>,
) => ({
  domain: { name: issuer, version: '1', chainId },
  types: { [kind]: attestations[kind].map((name) => ({ name, type: 'string' })) },
  primaryType: kind as string,
  message: message as Record<string, string>,
})

/** The EIP-712 digest of the same data. This is what the key signs. */
export function attestationDigest<Kind extends AttestationKind>(
  kind: Kind,
  { issuer, chainId }: { issuer: string; chainId: number },
  message: Attestation<Kind>,
): Uint8Array {
  const hash = (text: string) => keccak256(asciiBytes(text))
  const fields: readonly (keyof Attestation<Kind>)[] = attestations[kind]
  const type = `${kind}(${fields.map((name) => `string ${String(name)}`).join(',')})`
  const domain = keccak256(
    joinBytes(
      hash('EIP712Domain(string name,string version,uint256 chainId)'),
      hash(issuer),
      hash('1'),
      fromHex(chainId.toString(16).padStart(64, '0')),
    ),
  )
  const body = keccak256(joinBytes(hash(type), ...fields.map((name) => hash(message[name]))))
  return keccak256(joinBytes(Uint8Array.of(0x19, 0x01), domain, body))
}
