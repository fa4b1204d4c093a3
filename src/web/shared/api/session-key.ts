import type { ProofKey } from '../../../protocol/users.ts'
import { readKey, writeKey } from './key-store.ts'

const NAME = 'session'
const PUBLIC = 'session_public'
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const

/**
 * This browser's key, made once and kept. Its private half cannot leave the browser, so a copied token moves nothing
 * (R5); all sessions opened here show the same public half, so one person with many accounts is seen.
 */
export async function getSessionKey(): Promise<ProofKey> {
  const [known, key] = await Promise.all([readKey<string>(PUBLIC), readKey<CryptoKey>(NAME)])
  return known && key ? { kty: 'EC', crv: 'P-256', ...(JSON.parse(known) as { x: string; y: string }) } : createKey()
}

async function createKey(): Promise<ProofKey> {
  const pair = await crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify'])
  await writeKey(NAME, pair.privateKey)
  const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', pair.publicKey)
  await writeKey(PUBLIC, JSON.stringify({ x, y }))
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
