import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { users } from '../../../protocol/users.ts'
import { aUser, createTestApi, createTestWallet, type TestApi } from '../../testing/api.ts'
import { runAsOwner } from '../../testing/database.ts'

let api: TestApi
beforeAll(async () => {
  api = await createTestApi()
})
afterAll(() => api.close())

test('a wallet registers, signs in again and signs out; its token then gets 401', async () => {
  const user = await aUser(api)
  const entry = await api.call(users.login, await user.wallet.signIn(api))
  expect(entry).toMatchObject({ id: user.id, username: user.username, level: 0 })
  expect((await api.call(users.me, {}, entry.token)).data.username).toBe(user.username)
  await api.call(users.logout, {}, entry.token)
  expect(await api.send('POST', '/auth/me/', {}, { token: entry.token })).toMatchObject({
    status: 401,
    body: { status: 'error', code: 'unauthenticated', Msg: 'Please sign in', message: 'Please sign in' },
  })
})

test('a user chooses one of our drawings as avatar, or the letter again, and no other name', async () => {
  const [user, other] = [await aUser(api), await aUser(api)]
  const avatarOf = async ({ token }: typeof user) => (await api.call(users.me, {}, token)).data.avatar
  expect(await avatarOf(user)).toBeNull()
  await api.call(users.chooseAvatar, { avatar: 'cat' }, user.token)
  expect([await avatarOf(user), await avatarOf(other)]).toEqual(['cat', null])
  for (const avatar of ['', 'dog', '/etc/passwd', 'CAT', 7])
    expect((await api.send('POST', '/auth/avatar/', { avatar }, { token: user.token })).status).toBe(400)
  expect(await avatarOf(user)).toBe('cat')
  await api.call(users.chooseAvatar, { avatar: null }, user.token)
  expect(await avatarOf(user)).toBeNull()
})

test('signing in with an unknown wallet gets 404, and the same signature can then register it', async () => {
  const wallet = createTestWallet()
  const signed = await wallet.signIn(api)
  expect(await api.send('POST', '/auth/login/', signed)).toMatchObject({
    status: 404,
    body: { Msg: 'Wallet is not registered' },
  })
  expect((await api.call(users.register, { ...signed, username: 'late_joiner' })).username).toBe('late_joiner')
})

test('a sign-in message can be used only once', async () => {
  const user = await aUser(api)
  const signed = await user.wallet.signIn(api)
  const replies = await Promise.all([1, 2, 3].map(() => api.send('POST', '/auth/login/', signed)))
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 401, 401])
})

test.each([
  ['another domain', { domain: 'evil.example' }, 'another site'],
  ['another address', { uri: 'http://evil.example/' }, 'another address'],
  ['another chain', { chainId: 56 }, 'another network'],
  ['an old issue time', { issuedAt: new Date(Date.now() - 6 * 60_000) }, 'too old'],
  ['an expiry time in the past', { expirationTime: new Date(Date.now() - 1_000) }, 'expired'],
  ['a nonce the server did not issue', { nonce: 'abcdefgh12345678' }, 'already used'],
])('a message with %s is refused', async (_, changes, reason) => {
  const user = await aUser(api)
  const reply = await api.send('POST', '/auth/login/', await user.wallet.signIn(api, changes))
  expect(reply).toMatchObject({ status: 401, body: { code: 'sign_in_refused' } })
  expect(reply.body.Msg).toContain(reason)
})

test('a truncated signature and the signature of another wallet are refused', async () => {
  const [user, other] = [await aUser(api), createTestWallet()]
  const { message, signature } = await user.wallet.signIn(api)
  const foreign = await other.account.signMessage({ message })
  for (const forged of [signature.slice(0, -2), signature.slice(0, 20), foreign])
    expect((await api.send('POST', '/auth/login/', { message, signature: forged })).status).toBe(401)
})

test('when two wallets register the same username at once, one succeeds and the other gets a clear error', async () => {
  const wallets = [createTestWallet(), createTestWallet()]
  const bodies = await Promise.all(
    wallets.map(async (wallet) => ({ ...(await wallet.signIn(api)), username: 'same_name' })),
  )
  const replies = await Promise.all(bodies.map((body) => api.send('POST', '/auth/register/', body)))
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
  const loser = replies.find(({ status }) => status === 409)
  expect(loser?.body).toMatchObject({ code: 'username_taken', Msg: 'This username is taken', field: 'username' })
})

test('a name that looks like our team is refused, and the same signature can register another name', async () => {
  const signed = await createTestWallet().signIn(api)
  for (const username of ['admin', 'supp0rt', 'we11play_team'])
    expect(await api.send('POST', '/auth/register/', { ...signed, username })).toMatchObject({
      status: 400,
      body: { code: 'username_reserved', field: 'username', Msg: expect.stringContaining('Choose another one') },
    })
  expect((await api.call(users.register, { ...signed, username: 'badminton_fan' })).username).toBe('badminton_fan')
})

test('a referral code works in upper or lower case and returns the sponsor; an unknown one gets 404', async () => {
  const sponsor = await aUser(api)
  const found = await api.call(users.sponsor, { referral_code: sponsor.referralCode.toLowerCase() })
  expect(found.username).toBe(sponsor.username)
  const child = await aUser(api, { referralCode: sponsor.referralCode.toLowerCase() })
  expect((await api.call(users.me, {}, child.token)).data.sponsor).toBe(sponsor.username)
  expect(await api.send('GET', '/auth/sponsor/ZZZZZZZZ/')).toMatchObject({
    status: 404,
    body: { code: 'unknown_referral_code' },
  })
})

test('the database keeps only the hash of a token', async () => {
  const { token } = await aUser(api)
  const row = await api.context.db
    .selectFrom('sessions')
    .selectAll()
    .where('token_hash', '=', createHash('sha256').update(token).digest())
    .executeTakeFirstOrThrow()
  expect(JSON.stringify(row)).not.toContain(token)
})

test('a session ends after 7 idle days', async () => {
  const { token, number } = await aUser(api)
  await api.context.db
    .updateTable('sessions')
    .set({ seen_at: new Date(Date.now() - 7 * 86_400_000) })
    .where('user_number', '=', number)
    .execute()
  expect((await api.send('POST', '/auth/me/', {}, { token })).status).toBe(401)
})

test('a session ends 30 days after sign-in, however often it is used, and is then no longer listed', async () => {
  const user = await aUser(api)
  const second = await api.call(users.login, await user.wallet.signIn(api))
  const age = `update sessions set created_at = now() - interval '30 days' where token_hash = sha256('${user.token}')`
  await runAsOwner(api.database.ownerUrl, age)
  expect((await api.send('POST', '/auth/me/', {}, { token: user.token })).status).toBe(401)
  expect((await api.call(users.sessions, {}, second.token)).data).toMatchObject([{ current: true }])
})

test('signing out everywhere ends every session', async () => {
  const user = await aUser(api)
  const second = await api.call(users.login, await user.wallet.signIn(api))
  expect((await api.call(users.sessions, {}, second.token)).data).toHaveLength(2)
  expect((await api.call(users.logoutEverywhere, {}, second.token)).ended).toBe(2)
  expect((await api.send('POST', '/auth/me/', {}, { token: user.token })).status).toBe(401)
})
