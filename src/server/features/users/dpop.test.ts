import { createHash, randomUUID } from 'node:crypto'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseUsdt } from '../../../protocol/money.ts'
import type { Routes } from '../../../protocol/route.ts'
import { routes } from '../../../protocol/routes.ts'
import { type ProofKey, users } from '../../../protocol/users.ts'
import { getUserBalances } from '../../ledger/balances.ts'
import { aUser, createTestApi, PUBLIC_URL, type TestApi } from '../../testing/api.ts'
import { transfer } from '../../testing/payments.ts'
import { giveWallet } from '../../testing/plans.ts'

/** Tests an RFC 9449 client built with an off-the-shelf library, against a server behind a proxy. */
const PROXIED_URL = 'https://play.example'
const PATH = '/api/internal_transfer/'
const now = new Date()
const nowSeconds = Math.floor(now.getTime() / 1000)

let api: TestApi
beforeAll(async () => {
  api = await createTestApi({
    settings: { PUBLIC_URL: `${PUBLIC_URL},${PROXIED_URL}` },
    clock: { now: () => now },
  })
})
afterAll(() => api.close())

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url')

type Keys = { publicKey: CryptoKey; privateKey: CryptoKey }
const newKeys = (): Promise<Keys> => generateKeyPair('ES256', { extractable: true })

/** A user with 10 USDT and a session bound to a key, and a receiver for transfers. */
async function aBoundUser() {
  const [user, receiver, keys] = [await aUser(api), await aUser(api), await newKeys()]
  await giveWallet(api, user.number, '10')
  // Libraries export extra members such as alg, use and kid.
  const proof_key = { ...(await exportJWK(keys.publicKey)), alg: 'ES256', use: 'sig', kid: 'mine' } as ProofKey & JWK
  const { token } = await api.call(users.login, { ...(await user.wallet.signIn(api)), proof_key })
  const body = JSON.stringify({ to_user: receiver.username, amount: '1', source: 'wallet' })
  // The first transfer to a recipient must be signed. After that, a proof is enough.
  await transfer(api, user, receiver, '0.01')
  const received = async () => (await getUserBalances(api.context.db, receiver.number)).wallet - parseUsdt('0.01')
  return { ...user, keys, token, body, received }
}
type BoundUser = Awaited<ReturnType<typeof aBoundUser>>

const claimsFor = ({ token }: { token: string }) => ({
  htm: 'POST',
  htu: `${PUBLIC_URL}${PATH}`,
  iat: nowSeconds,
  jti: randomUUID(),
  ath: hashOf(token),
})

async function sign(claims: object, { publicKey, privateKey }: Keys, header: object = {}): Promise<string> {
  const jwk = await exportJWK(publicKey)
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk, ...header })
    .sign(privateKey)
}

const proofOf = (user: BoundUser, changes: object = {}) => sign({ ...claimsFor(user), ...changes }, user.keys)

async function send(
  user: BoundUser,
  dpop: string | undefined,
  headers: Record<string, string> = {},
  { http }: Pick<TestApi, 'http'> = api,
) {
  const reply = await http.inject({
    method: 'POST',
    url: PATH,
    payload: user.body,
    headers: {
      'idempotency-key': crypto.randomUUID(),
      'content-type': 'application/json',
      authorization: `DPoP ${user.token}`,
      host: 'inside:8080',
      ...(dpop && { dpop }),
      ...headers,
    },
  })
  return { status: reply.statusCode, body: reply.json(), challenge: reply.headers['www-authenticate'] }
}

async function expectRefused(user: BoundUser, dpop: string | undefined, why: string) {
  const { status, body, challenge } = await send(user, dpop)
  expect({ status, body }, why).toMatchObject({ status: 401, body: { status: 'error', code: 'proof_required' } })
  expect(challenge, why).toContain('DPoP error="invalid_dpop_proof"')
  expect(await user.received(), why).toBe(0n)
}

test('a standard client signs in with its key and moves money with a proof for each call', async () => {
  const user = await aBoundUser()
  expect(await send(user, await proofOf(user))).toMatchObject({ status: 200 })
  expect(await send(user, await proofOf(user, { htu: `${PROXIED_URL}:443${PATH}?ignored#too` }))).toMatchObject({
    status: 200,
  })
  expect(await send(user, await proofOf(user, { body: hashOf(user.body) }))).toMatchObject({ status: 200 })
  expect(await user.received()).toBe(parseUsdt('3'))
})

test('a token without its proof can read, but change nothing', async () => {
  const user = await aBoundUser()
  const stolen = { authorization: `DPoP ${user.token}` }
  expect((await api.send('POST', '/auth/me/', {}, stolen)).body['data']).toMatchObject({ username: user.username })
  expect((await api.send('POST', '/auth/me/', {}, { token: user.token })).status).toBe(200)
  await expectRefused(user, undefined, 'no proof')
  const { status, challenge } = await send({ ...user, token: 'A'.repeat(43) }, await proofOf(user))
  expect([status, challenge]).toEqual([401, 'DPoP algs="ES256"'])
})

test('only signing out and the moves of a quiz game need no proof', () => {
  const free = Object.entries<Routes>(routes).flatMap(([feature, table]) =>
    Object.entries(table).flatMap(([name, { changes, proof }]) => (changes && !proof ? [`${feature}.${name}`] : [])),
  )
  expect(free).toEqual(['users.logout', 'quiz.deal', 'quiz.shoot', 'quiz.power', 'quiz.pause', 'quiz.end'])
})

test('a proof for another call, token, key or time is refused, and nothing moves', async () => {
  const [user, other, stranger] = [await aBoundUser(), await aBoundUser(), await newKeys()]
  const wrong: Record<string, object> = {
    'another method': { htm: 'GET' },
    'another path': { htu: `${PUBLIC_URL}/api/auth/me/` },
    'another site': { htu: `https://evil.example${PATH}` },
    'the internal host': { htu: `http://inside:8080${PATH}` },
    'another token': { ath: hashOf(other.token) },
    'no token hash': { ath: undefined },
    'another body': { body: hashOf('{}') },
    'too old': { iat: nowSeconds - 121 },
    'in the future': { iat: nowSeconds + 122 },
    'no issue time': { iat: undefined },
    'no jti': { jti: undefined },
    expired: { exp: nowSeconds - 1 },
  }
  for (const [why, changes] of Object.entries(wrong)) await expectRefused(user, await proofOf(user, changes), why)
  await expectRefused(user, await sign(claimsFor(user), stranger), 'another key')
  const jwk = await exportJWK(user.keys.publicKey)
  await expectRefused(user, await sign(claimsFor(user), stranger, { jwk }), 'another key, with ours in the header')
  expect((await send(user, await proofOf(user, { iat: nowSeconds - 119 }))).status).toBe(200)
  expect((await send(user, await proofOf(user, { iat: nowSeconds + 119 }))).status).toBe(200)
})

test('anything that is not a valid RFC 9449 proof is refused, and nothing moves', async () => {
  const user = await aBoundUser()
  const jwk = await exportJWK(user.keys.publicKey)
  const [payload, own] = [claimsFor(user), await proofOf(user)]
  const symmetric = new SignJWT(payload).setProtectedHeader({ alg: 'HS256', typ: 'dpop+jwt', jwk })
  const rsa = await generateKeyPair('RS256')
  const wrong: Record<string, string> = {
    nonsense: 'nonsense',
    'alg none': new UnsecuredJWT(payload).encode(),
    HS256: await symmetric.sign(new TextEncoder().encode(JSON.stringify(jwk))),
    RS256: await sign(payload, rsa, { alg: 'RS256' }),
    'another typ': await sign(payload, user.keys, { typ: 'JWT' }),
    'no key inside': await sign(payload, user.keys, { jwk: undefined }),
    'the private key inside': await sign(payload, user.keys, { jwk: await exportJWK(user.keys.privateKey) }),
    'an off-curve key inside': await sign(payload, user.keys, { jwk: { ...jwk, y: jwk.x } }),
    'a truncated signature': own.slice(0, -4),
    'two proofs': `${own}, ${await proofOf(user)}`,
  }
  for (const [why, dpop] of Object.entries(wrong)) await expectRefused(user, dpop, why)
})

test('a proof is accepted once, even when it is sent several times at once', async () => {
  const [user, other] = [await aBoundUser(), await aBoundUser()]
  const jti = 'any text \u0000 will do'
  const proof = await proofOf(user, { jti })
  const replies = await Promise.all([send(user, proof), send(user, proof), send(user, proof)])
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 401, 401])
  await expect(send(user, await proofOf(user, { jti }))).resolves.toMatchObject({ status: 401 })
  expect(await user.received()).toBe(parseUsdt('1'))
  // Another session may use the same jti.
  expect((await send(other, await proofOf(other, { jti }))).status).toBe(200)
})

test('of many proofs sent twice at once to two processes, each is accepted once', async () => {
  const other = await createTestApi({ clock: { now: () => now }, database: { ...api.database, drop: async () => {} } })
  const users = await Promise.all([aBoundUser(), aBoundUser(), aBoundUser()])
  const asked = users.flatMap((user) => Array.from({ length: 8 }, () => ({ user, jti: randomUUID() })))
  const proofs = await Promise.all(asked.map(async ({ user, jti }) => ({ user, dpop: await proofOf(user, { jti }) })))
  // In opposite orders: statements that took the same locks in these orders would deadlock.
  const sendAll = (order: typeof proofs, to: TestApi) =>
    Promise.all(order.map(async ({ user, dpop }) => ({ dpop, status: (await send(user, dpop, {}, to)).status })))
  const replies = (await Promise.all([sendAll(proofs, api), sendAll(proofs.toReversed(), other)])).flat()
  expect(
    replies
      .filter(({ status }) => status === 200)
      .map(({ dpop }) => dpop)
      .toSorted(),
  ).toEqual(proofs.map(({ dpop }) => dpop).toSorted())
  expect(replies.filter(({ status }) => status === 401)).toHaveLength(proofs.length)
  for (const user of users) expect(await user.received()).toBe(parseUsdt('8'))
  await other.close()
})

test('Token and Authorization may both be sent if they agree', async () => {
  const [user, other] = [await aBoundUser(), await aBoundUser()]
  expect((await send(user, await proofOf(user), { token: user.token })).status).toBe(200)
  expect(await send(user, await proofOf(user), { token: other.token })).toMatchObject({
    status: 400,
    body: { code: 'invalid_input', field: 'Authorization' },
  })
  expect((await send(user, await proofOf(user), { token: user.token, authorization: 'Basic eDp5' })).status).toBe(200)
})

test('a key that is private, off the curve or of another type opens no session', async () => {
  const [user, keys] = [await aUser(api), await newKeys()]
  const jwk = await exportJWK(keys.publicKey)
  const { kty, n, e } = await exportJWK((await generateKeyPair('RS256')).publicKey)
  const wrong: [key: object, field: string, why: RegExp][] = [
    [await exportJWK(keys.privateKey), 'proof_key.d', /public key only/],
    [{ ...jwk, y: jwk.x }, 'proof_key', /not a point/],
    [{ ...jwk, x: 'A'.repeat(43), y: 'A'.repeat(43) }, 'proof_key', /not a point/],
    [{ ...jwk, x: `${jwk.x}A` }, 'proof_key.x', /32 bytes/],
    [{ ...jwk, crv: 'P-384' }, 'proof_key.crv', /P-256/],
    [{ kty, n, e }, 'proof_key.kty', /EC/],
  ]
  for (const [proof_key, field, why] of wrong) {
    const reply = await api.send('POST', '/auth/login/', { ...(await user.wallet.signIn(api)), proof_key })
    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_input', field } })
    expect(reply.body.Msg).toMatch(why)
  }
})
