import { exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { quiz } from '../../../protocol/quiz.ts'
import { type ProofKey, users } from '../../../protocol/users.ts'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await createTestApi()
})
afterAll(() => api.close())

test('the token in the body must belong to the session', async () => {
  const [one, other] = [await aUser(api), await aUser(api)]
  for (const token of [other.token, '', 'x'.repeat(43)]) {
    const reply = await api.send('POST', '/game/start/', { token }, { token: one.token })
    expect([reply.status, reply.body.code]).toEqual([403, 'forbidden'])
  }
})

test('an unbound session starts a game with its token in the body alone, as the specification sends it', async () => {
  const player = await aUser(api)
  const { status, body } = await api.send('POST', '/game/start/', { token: player.token })
  expect([status, body.status]).toEqual([200, 'success'])
  const { data } = await api.call(quiz.overview, {}, player.token)
  expect(`game_${data.open_game}`).toBe((body['game'] as { gameId: string }).gameId)
})

test('a token in the body alone is refused if it is wrong, ended, bound to a key, or sent to another call', async () => {
  const [player, other] = [await aUser(api), await aUser(api)]
  const send = async (path: string, token: string, headers = {}) => {
    const { status, body } = await api.send('POST', path, { token }, headers)
    return [status, body.code]
  }
  const { publicKey } = await generateKeyPair('ES256')
  const proof_key = (await exportJWK(publicKey)) as ProofKey
  const bound = await api.call(users.login, { ...(await player.wallet.signIn(api)), proof_key })
  expect(await send('/game/start/', bound.token)).toEqual([401, 'proof_required'])
  expect(await send('/game/start/', 'x'.repeat(43))).toEqual([401, 'unauthenticated'])
  expect(await send('/game/start/', '')).toEqual([401, 'unauthenticated'])
  // The header wins: a valid token in the body does not replace a wrong one in the header.
  expect(await send('/game/start/', player.token, { token: 'x'.repeat(43) })).toEqual([401, 'unauthenticated'])
  expect(await send('/detail/', other.token)).toEqual([400, 'invalid_input'])
  await api.call(users.logout, {}, player.token)
  expect(await send('/game/start/', player.token)).toEqual([401, 'unauthenticated'])
})
