import { hash } from 'node:crypto'
import { calculateJwkThumbprint, EmbeddedJWK, importJWK, type JWK, jwtVerify } from 'jose'
import { z } from 'zod'
import { AppError } from '../../protocol/errors.ts'
import type { ProofKey } from '../../protocol/users.ts'

/** DPoP (RFC 9449): a JWT by which a caller proves, for one request, that they hold the key of their session. */
const ALGORITHM = 'ES256'
/** How far a proof's time may be from ours. */
const WINDOW_SECONDS = 120

const claims = z.object({
  htm: z.string(),
  htu: z.string(),
  iat: z.number(),
  jti: z.string().min(1),
  ath: z.string(),
  /** Ours, not the RFC's: the hash of the body. */
  body: z.string().optional(),
})

export type ProvenRequest = {
  method: string
  /** Path and query as they were sent. */
  url: string
  rawBody: string
  token: string
  publicUrls: readonly string[]
  now: Date
}

const refuse = (why: string) => new AppError('proof_required', why)

/**
 * The checks of RFC 9449, section 4.3. Returns an id of the proof that is unique within its token; the caller must
 * store it, because a proof is valid once.
 */
export async function checkProof(proof: string, key: ProofKey, request: ProvenRequest): Promise<string> {
  const { method, url, rawBody, token, publicUrls, now } = request
  const options = { typ: 'dpop+jwt', algorithms: [ALGORITHM], currentDate: now }
  // Everything in a proof comes from the caller: whatever fails here, the proof is not valid.
  const verified = await jwtVerify(proof, EmbeddedJWK, options).catch(() => undefined)
  if (!verified) throw refuse('The DPoP proof is not a JWT signed with ES256 by the public key in its header')
  const parsed = claims.safeParse(verified.payload)
  if (!parsed.success) throw refuse('The DPoP proof needs the claims htm, htu, iat, jti and ath')
  const { htm, htu, iat, jti, ath, body } = parsed.data
  if ((await thumbprintOf(verified.protectedHeader.jwk)) !== (await thumbprintOf(key)))
    throw refuse('The DPoP proof was not made with the key of this session')
  if (ath !== sha256(token)) throw refuse('The DPoP proof was made for another token')
  if (htm !== method || !publicUrls.some((publicUrl) => isSamePlace(htu, publicUrl, url)))
    throw refuse('The DPoP proof was made for another method or address')
  // A proof without this claim is a standard one and is accepted. The claim is signed, so nobody can take it out.
  if (body !== undefined && body !== sha256(rawBody)) throw refuse('The DPoP proof was made for another body')
  if (Math.abs(iat - now.getTime() / 1000) > WINDOW_SECONDS)
    throw refuse('The time of the DPoP proof is too far from ours: check the clock of your device')
  return sha256(`${ath}.${jti}`)
}

/** Whether the coordinates are a point of the curve. A key that is none could never prove anything. */
export async function isValidKey(key: ProofKey): Promise<boolean> {
  return importJWK(key, ALGORITHM).then(
    () => true,
    () => false,
  )
}

/** RFC 7638. It covers the members that make the key, whatever else a JWK says. */
const thumbprintOf = (key: JWK | undefined): Promise<string> => calculateJwkThumbprint(key ?? {})

const sha256 = (text: string): string => hash('sha256', text, 'base64url')

/** Compares without query and fragment. Behind a proxy our Host header is not what the caller typed. */
function isSamePlace(htu: string, publicUrl: string, sentUrl: string): boolean {
  const [named, own] = [URL.parse(htu), URL.parse(`${new URL(publicUrl).origin}${sentUrl}`)]
  return named !== null && own !== null && named.origin === own.origin && named.pathname === own.pathname
}
