import { createHash, generateKeyPairSync, type JsonWebKey, randomUUID, sign } from 'node:crypto'

/** The public address that proofs name. The API compares it with its setting, not with the Host header. */
export const BENCH_ORIGIN = 'http://localhost:3000'

/** Makes a DPoP proof (RFC 9449) for one call to this path. */
export type Prover = (path: string) => string

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A session's own browser key. Signed with node:crypto, because the client shares the cores with the server. */
export function createProver(token: string): { jwk: JsonWebKey; prove: Prover } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = publicKey.export({ format: 'jwk' })
  const header = encode({ alg: 'ES256', typ: 'dpop+jwt', jwk })
  const ath = createHash('sha256').update(token).digest('base64url')
  const prove: Prover = (path) => {
    const iat = Math.floor(Date.now() / 1000)
    const text = `${header}.${encode({ htm: 'POST', htu: `${BENCH_ORIGIN}${path}`, jti: randomUUID(), ath, iat })}`
    const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' })
    return `${text}.${signature.toString('base64url')}`
  }
  return { jwk, prove }
}
