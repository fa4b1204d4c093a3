import { hash } from 'node:crypto'
import { z } from 'zod'
import { AppError } from '../../protocol/errors.ts'
import type { ProofKey } from '../../protocol/users.ts'
import { isSignedBy } from './es256.ts'

/** DPoP (RFC 9449): a JWT that proves, for one request, that the caller holds the key of the session. */
const ALGORITHM = 'ES256'
const COMPACT = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/
/** How far a proof's time may be from ours. */
const WINDOW_SECONDS = 120

const header = z.object({
  alg: z.literal(ALGORITHM),
  // RFC 7515: a media type, case-insensitive, whose prefix may be left out.
  typ: z.string().regex(/^(application\/)?dpop\+jwt$/i),
  jwk: z.object({
    kty: z.literal('EC'),
    crv: z.literal('P-256'),
    x: z.string(),
    y: z.string(),
    d: z.undefined().optional(),
    use: z.literal('sig').optional(),
    alg: z.literal(ALGORITHM).optional(),
  }),
  // Extensions that a verifier must understand (RFC 7515). We know none.
  crit: z.undefined().optional(),
})

const claims = z.object({
  htm: z.string(),
  htu: z.string(),
  iat: z.number(),
  jti: z.string().min(1),
  ath: z.string(),
  exp: z.number().optional(),
  nbf: z.number().optional(),
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
 * id, because a proof is valid only once. The proof's own key is never imported: it must be equal to the session's.
 */
export function checkProof(proof: string, key: ProofKey, request: ProvenRequest): string {
  const { method, url, rawBody, token, publicUrls, now } = request
  const { named, payload, text, signature } = readProof(proof)
  if (named.x !== key.x || named.y !== key.y) throw refuse('The DPoP proof was not made with the key of this session')
  if (!isSignedBy(key, text, signature)) throw notAProof()
  const parsed = claims.safeParse(payload)
  if (!parsed.success) throw refuse('The DPoP proof needs the claims htm, htu, iat, jti and ath')
  const { htm, htu, iat, jti, ath, exp, nbf, body } = parsed.data
  if (ath !== sha256(token)) throw refuse('The DPoP proof was made for another token')
  if (htm !== method || !publicUrls.some((publicUrl) => isSamePlace(htu, publicUrl, url)))
    throw refuse('The DPoP proof was made for another method or address')
  // A standard proof does not have this claim and is accepted. The claim is signed, so it cannot be removed.
  if (body !== undefined && body !== sha256(rawBody)) throw refuse('The DPoP proof was made for another body')
  const nowSeconds = now.getTime() / 1000
  if (Math.abs(iat - nowSeconds) > WINDOW_SECONDS)
    throw refuse('The time of the DPoP proof differs too much from ours. Check the clock of your device.')
  if ((exp !== undefined && exp <= nowSeconds) || (nbf !== undefined && nbf > nowSeconds))
    throw refuse('The DPoP proof has expired or is not valid yet')
  return sha256(`${ath}.${jti}`)
}

const notAProof = () => refuse('The DPoP proof is not a JWT signed with ES256 by the public key in its header')

/** Everything in a proof comes from the caller, so any error here means that the proof is invalid. */
function readProof(proof: string) {
  const [, first = '', second = '', third = ''] = COMPACT.exec(proof) ?? []
  const parsed = header.safeParse(parse(first))
  const payload = parse(second)
  if (!parsed.success || payload === undefined) throw notAProof()
  const signature = Buffer.from(third, 'base64url')
  return { named: parsed.data.jwk, payload, text: `${first}.${second}`, signature }
}

/** The JSON in a part of a JWT. Undefined if it is none. */
function parse(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString())
  } catch {
    return undefined
  }
}

const sha256 = (text: string): string => hash('sha256', text, 'base64url')

/** Compares origin and path only. The Host header is not used: behind a proxy it may differ from the public address. */
function isSamePlace(htu: string, publicUrl: string, sentUrl: string): boolean {
  const address = `${originOf(publicUrl)}${sentUrl}`
  // Almost always the texts are equal. Parsing them takes as long as a tenth of the signature's check.
  if (sentUrl.startsWith('/') && htu === address) return true
  const [named, own] = [URL.parse(htu), URL.parse(address)]
  return named !== null && own !== null && named.origin === own.origin && named.pathname === own.pathname
}

/** There are only as many as the settings name. */
const origins = new Map<string, string>()
function originOf(publicUrl: string): string {
  const origin = origins.get(publicUrl) ?? new URL(publicUrl).origin
  origins.set(publicUrl, origin)
  return origin
}
