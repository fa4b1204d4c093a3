import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { wallet } from '../../../protocol/wallet.ts'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'

let api: TestApi
let market: Server
let reply: object | undefined

beforeAll(async () => {
  market = createServer((_request, response) => {
    if (reply) response.setHeader('content-type', 'application/json').end(JSON.stringify(reply))
    else response.destroy()
  })
  await new Promise<void>((resolve) => market.listen(0, '127.0.0.1', resolve))
  const { port } = market.address() as { port: number }
  api = await createTestApi({ settings: { MARKET_URL: `http://127.0.0.1:${port}` } })
})
afterAll(async () => {
  await api.close()
  market.close()
})

test('the price of JW comes with its age, is marked stale when old, and is missing when the service is down', async () => {
  reply = { status: 'success', Current_Jw_MKT_Price: '0.25', age_seconds: 3, stale: false, block: 7 }
  expect(await api.call(wallet.market, {})).toMatchObject({
    Current_Jw_MKT_Price: '0.25',
    age_seconds: 3,
    state: 'live',
  })
  reply = { ...reply, age_seconds: 300, stale: true }
  expect(await api.call(wallet.market, {})).toMatchObject({ state: 'stale', age_seconds: 300 })
  const dead = { Current_Jw_MKT_Price: null, age_seconds: null, state: 'dead' }
  reply = { nonsense: true }
  expect(await api.call(wallet.market, {})).toMatchObject(dead)
  reply = undefined
  expect(await api.call(wallet.market, {})).toMatchObject(dead)
})

test('a chain node that does not answer gives a clear error and stores no deposit', async () => {
  const { token } = await aUser(api)
  const down = { status: 503, body: { code: 'chain_unavailable' } }
  expect(await api.send('POST', '/BNBStaus_update/', {}, { token })).toMatchObject(down)
  const claim = { trans_hash: `0x${'ab'.repeat(32)}`, amount: '5' }
  expect(await api.send('POST', '/wallet_deposit/', claim, { token })).toMatchObject(down)
  expect((await api.call(wallet.deposits, {}, token)).data).toEqual([])
})
