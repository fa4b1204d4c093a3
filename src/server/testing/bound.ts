import { createHash, randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { type ProofKey, users } from '../../protocol/users.ts'
import { PUBLIC_URL, type TestApi } from './api.ts'
import type { TestUser } from './payments.ts'

/** Signs a user in with a browser key. The returned function posts with a DPoP proof, as the web app does (R5). */
export async function bindSession(api: TestApi, user: TestUser) {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const jwk = await exportJWK(publicKey)
  const { token } = await api.call(users.login, { ...(await user.wallet.signIn(api)), proof_key: jwk as ProofKey })
  const ath = createHash('sha256').update(token).digest('base64url')

  return async (path: string, body: object, key: string = randomUUID()) => {
    const dpop = await new SignJWT({ htm: 'POST', htu: `${PUBLIC_URL}/api${path}`, jti: randomUUID(), ath })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
      .setIssuedAt()
      .sign(privateKey)
    return api.send('POST', path, body, { token, dpop, 'idempotency-key': key })
  }
}
