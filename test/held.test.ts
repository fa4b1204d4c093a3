import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseUsdt } from '../src/protocol/money.ts'
import { aUser, createTestApi, type TestApi } from '../src/server/testing/api.ts'
import { signedWithdrawal, signTransfer } from '../src/server/testing/payments.ts'
import { balancesOf, giveWallet, purchaseBody } from '../src/server/testing/plans.ts'

/** Attacks on the whole API that never worked, and must not start to. SECURITY.md lists those tested elsewhere. */
let api: TestApi
beforeAll(async () => {
  api = await createTestApi()
})
afterAll(() => api.close())

test('of sixty concurrent calls that each spend the whole balance in another way, one succeeds', async () => {
  const [user, friend] = [await aUser(api), await aUser(api)]
  await giveWallet(api, user.number, '10')
  const send = (path: string, body: object) =>
    api.send('POST', path, body, { token: user.token, 'idempotency-key': crypto.randomUUID() })
  const transfer = { to_user: friend.username, amount: '10', source: 'wallet' as const }
  const ways = [
    async () => send('/withdraw_request/', await signedWithdrawal(user, '10', { source: 'wallet' })),
    async () => send('/internal_transfer/', { ...transfer, ...(await signTransfer(user, transfer)) }),
    () => send('/gamebuyplan/', purchaseBody(api, user, '10', 1)),
    () => send('/betwallet/', { direction: 'deposit', amount: '10', source: 'wallet' }),
  ]
  const replies = await Promise.all(Array.from({ length: 15 }, () => ways.map((go) => go())).flat())
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  const refusals = replies.filter(({ status }) => status !== 200).map(({ body }) => body.code)
  expect(new Set(refusals)).toEqual(new Set(['insufficient_balance']))
  const left = await balancesOf(api, user)
  expect(left['wallet']).toBe(0n)
  const placed = [left['bet'], left['plan'], (await balancesOf(api, friend))['wallet']]
  expect(placed.every((amount) => amount === 0n || amount === parseUsdt('10'))).toBe(true)
})

test('a proof key that is not a point on the curve is refused with 400, whatever its coordinates', async () => {
  const user = await aUser(api)
  const bytes = [Buffer.alloc(32), Buffer.alloc(32, 255), ...Array.from({ length: 10 }, () => randomBytes(32))]
  for (const [at, x] of bytes.entries()) {
    const y = bytes[(at + 1) % bytes.length] ?? x
    const proof_key = { kty: 'EC', crv: 'P-256', x: x.toString('base64url'), y: y.toString('base64url') }
    const reply = await api.send('POST', '/auth/login/', { ...(await user.wallet.signIn(api)), proof_key })
    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_input', field: 'proof_key' } })
  }
})
