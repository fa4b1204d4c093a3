import { createHash, randomBytes } from 'node:crypto'
import { base64url, type CryptoKey, EmbeddedJWK, exportJWK, generateKeyPair, type JWK, jwtVerify, SignJWT } from 'jose'
import { beforeAll, expect, test } from 'vitest'
import type { ProofKey } from '../../protocol/users.ts'
import { checkProof } from './dpop.ts'

/** Compares our verification with that of jose, which is the reference. */
const ORIGIN = 'https://play.example'
const now = new Date()
const nowSeconds = Math.floor(now.getTime() / 1000)
const token = randomBytes(32).toString('base64url')
const request = { method: 'POST', url: '/api/x/', rawBody: '', token, publicUrls: [ORIGIN], now }
const claims = {
  htm: 'POST',
  htu: `${ORIGIN}/api/x/`,
  iat: nowSeconds,
  jti: 'one',
  ath: createHash('sha256').update(token).digest('base64url'),
}

let keys: Awaited<ReturnType<typeof generateKeyPair>>
let jwk: JWK
beforeAll(async () => {
  keys = await generateKeyPair('ES256', { extractable: true })
  jwk = await exportJWK(keys.publicKey)
})

const sign = (changes: object = {}, header: object = {}) =>
  new SignJWT({ ...claims, ...changes })
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk, ...header })
    .sign(keys.privateKey)

function isAccepted(proof: string): boolean {
  try {
    checkProof(proof, jwk as ProofKey, request)
    return true
  } catch {
    return false
  }
}
const isAcceptedByJose = (proof: string): Promise<boolean> =>
  jwtVerify(proof, EmbeddedJWK, { typ: 'dpop+jwt', algorithms: ['ES256'], currentDate: now }).then(
    () => true,
    () => false,
  )

test('a signature is accepted whether or not its numbers start with a zero byte or a one bit', async () => {
  const seen = new Set<string>()
  const kinds = (bytes: Uint8Array, name: string) => {
    if (bytes[0] === 0) seen.add(`${name} zero`)
    seen.add(`${name} ${(bytes[0] ?? 0) >= 0x80 ? 'high' : 'low'}`)
  }
  for (let at = 0; seen.size < 6; at++) {
    const proof = await sign({ jti: `proof ${at}` })
    const signature = base64url.decode(proof.split('.')[2] as string)
    kinds(signature.subarray(0, 32), 'r')
    kinds(signature.subarray(32), 's')
    expect(isAccepted(proof)).toBe(true)
  }
})

test('a proof with any changed byte is refused', async () => {
  const proof = await sign()
  const [head = '', payload = '', signature = ''] = proof.split('.')
  for (const [at, part] of [head, payload, signature].entries()) {
    const bytes = base64url.decode(part)
    for (let byte = 0; byte < bytes.length; byte++) {
      const changed = Uint8Array.from(bytes, (value, place) => (place === byte ? value ^ 1 : value))
      const parts = [head, payload, signature].with(at, base64url.encode(changed))
      expect(isAccepted(parts.join('.')), `part ${at}, byte ${byte}`).toBe(false)
    }
  }
  expect(isAccepted(proof)).toBe(true)
})

test('a signature of zeros, of another length or in another encoding is refused', async () => {
  const [head, payload, signature = ''] = (await sign()).split('.')
  const bytes = base64url.decode(signature)
  const [r, s] = [bytes.subarray(0, 32), bytes.subarray(32)]
  const zeros = new Uint8Array(32)
  const wrong = [
    [...zeros, ...zeros],
    [...zeros, ...s],
    [...r, ...zeros],
    [...bytes, 0],
    [...bytes.subarray(0, 63)],
    [0x30, 0x44, 0x02, 0x20, ...r, 0x02, 0x20, ...s],
  ]
  for (const signed of wrong)
    expect(isAccepted(`${head}.${payload}.${base64url.encode(Uint8Array.from(signed))}`)).toBe(false)
  for (const text of ['', '=', '.', `${signature}.`, `${signature}==`, `${signature} `, `+${signature.slice(1)}`])
    expect(isAccepted(`${head}.${payload}.${text}`)).toBe(false)
})

test('headers and times are judged as jose judges them', async () => {
  const { publicKey } = await generateKeyPair('ES256', { extractable: true })
  const cases: [changes: object, header: object][] = [
    [{}, {}],
    [{}, { kid: 'mine', other: 1 }],
    [{}, { jwk: { ...jwk, use: 'sig', alg: 'ES256', kid: 'mine' } }],
    [{}, { typ: 'DPoP+JWT' }],
    [{}, { typ: 'application/dpop+jwt' }],
    [{}, { typ: 'jwt' }],
    [{}, { typ: undefined }],
    [{}, { jwk: undefined }],
    [{}, { jwk: null }],
    [{}, { jwk: [] }],
    [{}, { jwk: { ...jwk, use: 'enc' } }],
    [{}, { jwk: { ...jwk, alg: 'ES384' } }],
    [{}, { jwk: { ...jwk, kty: 'OKP' } }],
    [{}, { jwk: { ...jwk, crv: 'P-384' } }],
    [{}, { jwk: { ...jwk, y: jwk.x } }],
    [{}, { jwk: await exportJWK(keys.privateKey) }],
    [{}, { jwk: await exportJWK(publicKey) }],
    [{ exp: nowSeconds + 5 }, {}],
    [{ exp: nowSeconds - 5 }, {}],
    [{ exp: 'soon' }, {}],
    [{ nbf: nowSeconds - 5 }, {}],
    [{ nbf: nowSeconds + 5 }, {}],
    [{ nbf: 'now' }, {}],
    [{ iat: 'now' }, {}],
  ]
  for (const [changes, header] of cases) {
    const proof = await sign(changes, header)
    expect(isAccepted(proof), JSON.stringify([changes, header])).toBe(await isAcceptedByJose(proof))
  }
  // jose's own signer refuses to write this header.
  const crit = base64url.encode(JSON.stringify({ alg: 'ES256', typ: 'dpop+jwt', jwk, crit: ['new'], new: 1 }))
  const text = `${crit}.${base64url.encode(JSON.stringify(claims))}`
  const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
  const signature = await crypto.subtle.sign(algorithm, keys.privateKey as CryptoKey, new TextEncoder().encode(text))
  const critical = `${text}.${base64url.encode(new Uint8Array(signature))}`
  expect([isAccepted(critical), await isAcceptedByJose(critical)]).toEqual([false, false])
})
