import { createHash, createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { z } from 'zod'
import type { ProofKey } from '../../protocol/users.ts'

/** How far a proof's time may be from ours. */
const PROOF_WINDOW_SECONDS = 120

const claims = z.strictObject({
  method: z.string(),
  path: z.string(),
  body: z.string(),
  at: z.int(),
  nonce: z.string().regex(/^[\w-]{16,64}$/),
})

export type ProvenRequest = { method: string; path: string; rawBody: string; nowSeconds: number }

/**
 * Checks that whoever sends this request holds the session's key (R5): `payload.signature`, both base64url, ES256 over
 * method, path, body hash, time and nonce. Returns the nonce, which the caller must still use up.
 */
export function checkProof(
  header: string,
  key: ProofKey,
  request: ProvenRequest,
): { nonce: string } | { refused: string } {
  const [payload = '', signature = ''] = header.split('.')
  const publicKey = {
    key: createPublicKey({ key: key as JsonWebKey, format: 'jwk' }),
    dsaEncoding: 'ieee-p1363' as const,
  }
  if (!verify('sha256', Buffer.from(payload), publicKey, Buffer.from(signature, 'base64url')))
    return { refused: 'The proof was not made with the key of this session' }
  const parsed = claims.safeParse(parseJson(Buffer.from(payload, 'base64url').toString()))
  if (!parsed.success) return { refused: 'The proof is incomplete' }
  const { method, path, body, at, nonce } = parsed.data
  if (method !== request.method || path !== request.path || body !== bodyHash(request.rawBody))
    return { refused: 'The proof was made for another request' }
  if (Math.abs(at - request.nowSeconds) > PROOF_WINDOW_SECONDS)
    return { refused: 'The proof is too old: check the clock of your device' }
  return { nonce }
}

const bodyHash = (rawBody: string): string => createHash('sha256').update(rawBody).digest('base64url')

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
