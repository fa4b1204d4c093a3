import { hash } from 'node:crypto'
import { calculateJwkThumbprint, EmbeddedJWK, importJWK, type JWK, jwtVerify } from 'jose'
import { z } from 'zod'
import { AppError } from '../../protocol/errors.ts'
import type { ProofKey } from '../../protocol/users.ts'

/** DPoP (RFC 9449): a JWT that proves, for one request, that the caller holds the key of the session. */
const ALGORITHM = 'ES256'
/** How far a proof's time may be from ours. */
const WINDOW_SECONDS = 120

const claims = z.object({
  htm: z.string(),
  htu: z.string(),
  iat: z.number(),
  jti: z.string().min(1),
  ath: z.string(),
  /** Not part of the RFC: the hash of the request body. */
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
 * Runs the checks of RFC 9449, section 4.3. Returns an id of the proof, unique for its token. The caller must store the
 * id, because a proof is valid only once.
 */
export async function checkProof(proof: string, key: ProofKey, request: ProvenRequest): Promise<string> {
  const { method, url, rawBody, token, publicUrls, now } = request
  const options = { typ: 'dpop+jwt', algorithms: [ALGORITHM], currentDate: now }
  // Everything in a proof comes from the caller, so any error here means that the proof is invalid.
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
  // A standard proof does not have this claim and is accepted. The claim is signed, so it cannot be removed.
  if (body !== undefined && body !== sha256(rawBody)) throw refuse('The DPoP proof was made for another body')
  if (Math.abs(iat - now.getTime() / 1000) > WINDOW_SECONDS)
    throw refuse('The time of the DPoP proof differs too much from ours. Check the clock of your device.')
  return sha256(`${ath}.${jti}`)
}

/** Whether the coordinates are a point on the curve. No proof could ever be made with any other key. */
export async function isValidKey(key: ProofKey): Promise<boolean> {
  return importJWK(key, ALGORITHM).then(
    () => true,
    () => false,
  )
}

/** RFC 7638. The thumbprint covers only the members that define the key. */
const thumbprintOf = (key: JWK | undefined): Promise<string> => calculateJwkThumbprint(key ?? {})

const sha256 = (text: string): string => hash('sha256', text, 'base64url')

/** Compares origin and path only. The Host header is not used: behind a proxy it may differ from the public address. */
function isSamePlace(htu: string, publicUrl: string, sentUrl: string): boolean {
  const [named, own] = [URL.parse(htu), URL.parse(`${new URL(publicUrl).origin}${sentUrl}`)]
  return named !== null && own !== null && named.origin === own.origin && named.pathname === own.pathname
}
