import { generateKeyPair, generateProof } from 'dpop'
import type { ProofKey } from '../../../protocol/users.ts'
import { deleteKey, readKey, writeKey } from './key-store.ts'

const NAME = 'dpop'

/**
 * This browser's key pair, created once and stored. The private key cannot be exported, so a copied token moves nothing
 * (R5). All sessions in this browser share the public key, which reveals one person using several accounts.
 */
export async function getSessionKey(): Promise<ProofKey> {
  const pair = (await readKey<CryptoKeyPair>(NAME)) ?? (await createKey())
  const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', pair.publicKey)
  return { kty: 'EC', crv: 'P-256', x, y }
}

/** For a user who deleted their account: a new account gets a new key. */
export const forgetSessionKey = (): Promise<undefined> => deleteKey(NAME)

async function createKey(): Promise<CryptoKeyPair> {
  const pair = await generateKeyPair('ES256')
  await writeKey(NAME, pair)
  return pair
}

/** A DPoP proof (RFC 9449) for one request. Our private claim `body` is a hash that protects the body from changes. */
export async function proveRequest(
  method: string,
  path: string,
  body: string,
  token: string,
): Promise<string | undefined> {
  const pair = await readKey<CryptoKeyPair>(NAME)
  if (!pair) return undefined
  const bodyHash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body))
  return generateProof(pair, `${location.origin}${path}`, method, undefined, token, { body: base64url(bodyHash) })
}

const base64url = (buffer: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
