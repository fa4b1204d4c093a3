import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Address } from '../../../protocol/ids.ts'
import { createTestApi, type TestApi } from '../../testing/api.ts'
import { type PaymentChain, startPaymentChain } from '../../testing/chain.ts'

// rpc.test.ts looks at each request that reaches a node. Here a real node gets the worst ones that are allowed.

const loop = `0x${'7'.repeat(40)}` as Address
let chain: PaymentChain
let api: TestApi
beforeAll(async () => {
  chain = await startPaymentChain()
  // JUMPDEST PUSH1 0 JUMP: an endless loop, which only a gas limit ends.
  await chain.setCode(loop, '0x5b600056')
  api = await createTestApi({ settings: { ...chain.settings, PUBLIC_RPC_URL: chain.settings.RPC_URL } })
})
afterAll(async () => {
  await api.close()
  await chain.stop()
})

const ask = (method: string, params: unknown[]) => api.send('POST', '/rpc/', { jsonrpc: '2.0', id: 1, method, params })

test.each(['eth_call', 'eth_estimateGas'])(
  '%s of an endless loop ends, and the node answers afterwards',
  async (method) => {
    const attack = { to: loop, gas: `0x${'f'.repeat(16)}` }
    for (let count = 0; count < 10; count++) {
      const { status, body } = await ask(method, [attack, 'latest'])
      expect(status).toBe(200)
      expect(body).toMatchObject({ error: { message: expect.stringMatching(/gas/i) } })
    }
    expect((await ask('eth_blockNumber', [])).body).toMatchObject({ result: expect.stringMatching(/^0x/) })
  },
)
