import type { ProofKey } from '../protocol/users.ts'
import { readKey, writeKey } from './key-store.ts'

const NAME = 'session'
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const

/** A new key for a new session. Its private half cannot leave this browser, so a copied token moves nothing (R5). */
export async function createSessionKey(): Promise<ProofKey> {
  const pair = await crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify'])
  await writeKey(NAME, pair.privateKey)
  const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', pair.publicKey)
  return { kty: 'EC', crv: 'P-256', x, y }
}

/** Signs method, path, body hash, time and a nonce with the session's key. */
export async function proveRequest(method: string, path: string, body: string): Promise<string | undefined> {
  const key = await readKey<CryptoKey>(NAME)
  if (!key) return undefined
  const claims = {
    method,
    path,
    body: base64url(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body))),
    at: Math.floor(Date.now() / 1000),
    nonce: base64url(crypto.getRandomValues(new Uint8Array(18)).buffer),
  }
  const payload = base64url(new TextEncoder().encode(JSON.stringify(claims)).buffer)
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, new TextEncoder().encode(payload))
  return `${payload}.${base64url(signature)}`
}

function base64url(buffer: ArrayBuffer): string {
  const text = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join('')
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
