import { createServer, type Server } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { readConfig } from '../../platform/config.ts'
import { createTestApi, type TestApi, testSettings } from '../../testing/api.ts'

/** A node that records requests and replies only when the test says so. */
const received: { id: unknown; method: string; params: unknown[] }[] = []
const answers: (() => void)[] = []
let isHolding = false
let node: Server
let api: TestApi

beforeAll(async () => {
  node = createServer(async (request, response) => {
    received.push((await json(request)) as (typeof received)[number])
    const answer = () =>
      response.setHeader('content-type', 'application/json').end('{"jsonrpc":"2.0","id":1,"result":"0x1"}')
    if (isHolding) answers.push(answer)
    else answer()
  })
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  const { port } = node.address() as { port: number }
  // The worker's node does not exist: a request sent to it would fail.
  api = await createTestApi({ settings: { PUBLIC_RPC_URL: `http://127.0.0.1:${port}` } })
})
beforeEach(() => {
  received.length = 0
  isHolding = false
})
afterAll(async () => {
  await api.close()
  node.close()
})

const to = `0x${'ab'.repeat(20)}`
const hash = `0x${'cd'.repeat(32)}`
const ask = (method: string, params: unknown[]) => api.send('POST', '/rpc/', { jsonrpc: '2.0', id: 1, method, params })

const attacks: [string, string, unknown[]][] = [
  ['a state override', 'eth_call', [{ to }, 'latest', { [to]: { code: '0x5b600056' } }]],
  ['an override in estimateGas', 'eth_estimateGas', [{ to }, 'latest', { [to]: { code: '0x5b600056' } }]],
  ['a block override', 'eth_call', [{ to }, 'latest', {}, { gasLimit: '0xffffffff' }]],
  ['code instead of a contract', 'eth_call', [{ data: '0x5b600056' }, 'latest']],
  ['an unknown field', 'eth_call', [{ to, accessList: [] }, 'latest']],
  ['an object as block', 'eth_call', [{ to }, { blockHash: hash }]],
  ['a signed number as gas', 'eth_call', [{ to, gas: '-0x1' }, 'latest']],
  ['whole transactions', 'eth_getBlockByNumber', ['latest', true]],
  ['a list of percentiles without end', 'eth_feeHistory', ['0x1', 'latest', Array(11).fill(1)]],
  ['a text as hash', 'eth_getTransactionReceipt', ['latest']],
  ['parameters of a method that has none', 'eth_blockNumber', [1]],
  ['a method that administers the node', 'anvil_setCode', [to, '0x']],
]

test.each(attacks)('%s is refused and does not reach the node', async (_name, method, params) => {
  expect(await ask(method, params)).toMatchObject({ status: 400, body: { status: 'error', code: 'invalid_input' } })
  expect(received).toEqual([])
})

test.each(['eth_call', 'eth_estimateGas'])('%s always has a gas limit that the node can afford', async (method) => {
  const gasOf = async (gas?: string) => {
    expect((await ask(method, [{ to, ...(gas && { gas }) }, 'latest'])).status).toBe(200)
    return received.at(-1)?.params[0]
  }
  expect(await gasOf()).toEqual({ to, gas: '0x4c4b40' })
  expect(await gasOf(`0x${'f'.repeat(64)}`)).toEqual({ to, gas: '0x4c4b40' })
  expect(await gasOf('0x5208')).toEqual({ to, gas: '0x5208' })
})

test('a caller gets its own id back, whatever the node would say about it', async () => {
  for (const id of [7, 'seven', '\ud800', '\0']) {
    const reply = await api.send('POST', '/rpc/', { jsonrpc: '2.0', id, method: 'eth_chainId', params: [] })
    expect(reply).toMatchObject({ status: 200, body: { id, result: '0x1' } })
  }
  expect(received.map(({ id }) => id)).toEqual([1, 1, 1, 1])
})

test('what the app and the round verifier send reaches the node', async () => {
  const calls: [string, unknown[]][] = [
    ['eth_chainId', []],
    ['eth_getBalance', [to, 'latest']],
    ['eth_getTransactionCount', [to, 'pending']],
    ['eth_getBlockByNumber', ['0x10', false]],
    ['eth_getTransactionReceipt', [hash]],
    ['eth_sendRawTransaction', ['0x02f8']],
  ]
  for (const [method, params] of calls) expect((await ask(method, params)).status).toBe(200)
  expect(received.map(({ method, params }) => [method, params])).toEqual(calls)
})

test('a caller has one request at the node at a time, and a bounded queue', async () => {
  isHolding = true
  const statuses: number[] = []
  const replies = Array.from({ length: 60 }, async () => statuses.push((await ask('eth_blockNumber', [])).status))
  // The last nine are refused as soon as all sixty have arrived. The others are still waiting then.
  await vi.waitUntil(() => statuses.length === 9, { timeout: 30_000 })
  expect(answers).toHaveLength(1)
  isHolding = false
  for (const answer of answers.splice(0)) answer()
  await Promise.all(replies)
  // One at the node, fifty waiting.
  expect(statuses.filter((status) => status === 200)).toHaveLength(51)
  expect(statuses.filter((status) => status === 429)).toHaveLength(9)
})

test('while the node is silent, each call says so, and so do those that wait behind it', async () => {
  isHolding = true
  const replies = await Promise.all([1, 2, 3].map(() => ask('eth_blockNumber', [])))
  for (const reply of replies) expect(reply).toMatchObject({ status: 503, body: { code: 'chain_unavailable' } })
  isHolding = false
  for (const answer of answers.splice(0)) answer()
  expect(await ask('eth_blockNumber', [])).toMatchObject({ status: 200 })
})

test('only the development network uses one node for browsers and the worker', () => {
  const settings = testSettings('postgres://127.0.0.1/test')
  const at = (more: Record<string, string>) => readConfig({ ...settings, ...more }).publicRpcUrl
  expect(at({})).toBe(settings['RPC_URL'])
  expect(at({ NETWORK: 'bsc', CHAIN_ID: '56' })).toBeUndefined()
  expect(at({ NETWORK: 'bsc', CHAIN_ID: '56', PUBLIC_RPC_URL: 'https://node.example' })).toBe('https://node.example')
  expect(() => at({ NETWORK: 'bsc', CHAIN_ID: '56', PUBLIC_RPC_URL: settings['RPC_URL'] ?? '' })).toThrow(
    'PUBLIC_RPC_URL',
  )
})
