import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { register } from 'prom-client'
import { encodeFunctionData, erc20Abi, type Hex, pad, toEventSelector, toHex } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { parseUsdt, WEI_PER_MICRO } from '../../protocol/money.ts'
import { withdrawals } from '../../protocol/withdrawals.ts'
import { startAnvilNode } from '../embedded/anvil-node.ts'
import { auditAndHalt } from '../ledger/audit.ts'
import { allInvariants } from '../operators/invariants.ts'
import { createTestApi, type TestApi } from '../testing/api.ts'
import { type Call, startBadNode } from '../testing/bad-node.ts'
import { type PaymentChain, startPaymentChain } from '../testing/chain.ts'
import { numberFromOutside } from '../testing/numbers.ts'
import { aDepositor, type TestUser, withdraw, workOnce } from '../testing/payments.ts'
import { createChain } from './client.ts'
import { readGas } from './gas.ts'
import { createMajority } from './majority.ts'

/** The product reaches anvil through three proxies, as if they were three nodes. */
const LIES = numberFromOutside('LIES', 150)
const FAKE_HASH: Hex = `0x${'fa4e'.repeat(16)}`
let api: TestApi
let anvil: PaymentChain
let nodes: Awaited<ReturnType<typeof startBadNode>>[]
let user: TestUser

beforeAll(async () => {
  anvil = await startPaymentChain()
  nodes = await Promise.all([1, 2, 3].map(() => startBadNode(anvil.settings.RPC_URL)))
  api = await createTestApi({ settings: { ...anvil.settings, RPC_URL: nodes.map(({ url }) => url).join(',') } })
  // A liar that is left out can lie no more: here it is asked every time.
  api.context.chain = createChain(api.context.config.chain, 0)
  await workOnce(api, anvil)
  user = await aDepositor(api, anvil, '5000')
})
afterEach(() => {
  for (const node of nodes) node.heal()
})
afterAll(async () => {
  await api.close()
  for (const node of nodes) node.stop()
  await anvil.stop()
})

const ours = () => api.context.chain.settings.vault
const nodeAt = (at: number) => nodes[at] as (typeof nodes)[number]
const nameOf = (at: number) => `${at + 1} ${new URL(nodeAt(at).url).host}`
const halts = () => api.context.db.selectFrom('halts').selectAll().execute()
const recorded = () => api.context.db.selectFrom('chain_payments').select('tx_hash').execute()
const newest = async () => (await api.call(withdrawals.history, { page_no: 1 }, user.token)).data[0]

async function figure(name: string, at: number, reason?: string): Promise<number | undefined> {
  const { values } = (await register.getSingleMetric(name)?.get()) ?? { values: [] }
  return values.find(({ labels }) => labels['node'] === nameOf(at) && labels['reason'] === reason)?.value
}

/** A withdrawal that is requested now is paid. */
async function expectPaid(): Promise<void> {
  await withdraw(api, user, '10')
  for (let pass = 0; pass < 6; pass++) await workOnce(api, anvil)
  expect(await newest()).toMatchObject({ state: 'paid' })
}

/** Invents a deposit of the user in every block, a longer chain, other blocks, used nonces and empty balances. */
function inventMoney({ method, params }: Call, honest: unknown): unknown {
  const log = {
    address: anvil.usdt,
    topics: [toEventSelector('Transfer(address,address,uint256)'), pad(user.wallet.address), pad(ours())],
    data: toHex(parseUsdt('1000') * WEI_PER_MICRO, { size: 32 }),
    transactionHash: FAKE_HASH,
    transactionIndex: '0x0',
    logIndex: '0x0',
  }
  if (method === 'eth_getLogs') return [{ ...log, blockNumber: '0x1', blockHash: FAKE_HASH }]
  if (method === 'eth_getTransactionReceipt') return { ...(honest as object), status: '0x0', logs: [log] }
  if (method === 'eth_getTransactionCount') return '0xffff'
  if (method === 'eth_call') return pad('0x0')
  if (method !== 'eth_getBlockByNumber') return undefined
  if (params?.[0] === 'finalized' || params?.[0] === 'latest') return { ...(honest as object), number: '0xffffffff' }
  return { ...(honest as object), hash: FAKE_HASH }
}

test(
  'one lying node of three: no credit, no halt, and payouts go on',
  async () => {
    const before = await recorded()
    nodeAt(0).lie(inventMoney)
    await expectPaid()
    while (nodeAt(0).spoiled() < LIES) await workOnce(api, anvil)
    // Not more: above a daily sum, withdrawals wait for an operator.
    await expectPaid()
    const report = await auditAndHalt(api.context.db, allInvariants(api.context.chain))
    expect(report.invariants.filter(({ outcome }) => outcome !== 'held')).toEqual([])
    expect(await halts()).toEqual([])
    // Each withdrawal is one payment. There is nothing else.
    expect((await recorded()).length - before.length).toBe(2)
    expect((await recorded()).map(({ tx_hash }) => tx_hash)).not.toContain(FAKE_HASH)
    expect(await figure('wellplay_chain_node_faults_total', 0, 'disagrees')).toBeGreaterThan(0)
    expect(await figure('wellplay_chain_node_faults_total', 1, 'disagrees')).toBeUndefined()
  },
  120_000 + LIES * 100,
)

test('a payout that is not mined yet is not refunded when one of three nodes reports that its nonce is used', async () => {
  await withdraw(api, user, '10')
  await workOnce(api, anvil, { blocks: 0 })
  nodeAt(2).lie(inventMoney)
  await workOnce(api, anvil, { blocks: 0 })
  nodeAt(2).heal()
  for (let pass = 0; pass < 6; pass++) await workOnce(api, anvil)
  expect(await newest()).toMatchObject({ state: 'paid' })
})

test('two of three nodes down: money waits and says so, reads go on, and everything continues when one is back', async () => {
  await withdraw(api, user, '10')
  const before = await recorded()
  nodeAt(0).down()
  nodeAt(1).down()
  await expect(workOnce(api, anvil)).rejects.toThrow('Not enough chain nodes agree')
  expect(await newest()).toMatchObject({
    state: 'requested',
    note: 'Payouts wait until enough chain nodes agree. Your withdrawal will be sent after that.',
  })
  const claim = { trans_hash: FAKE_HASH, amount: '10' }
  expect((await api.send('POST', '/wallet_deposit/', claim, { token: user.token })).status).toBe(503)
  expect(await readGas(api.context.chain, anvil.hot)).toMatchObject({ low: false })
  const report = await auditAndHalt(api.context.db, allInvariants(api.context.chain))
  expect(report.invariants.filter(({ outcome }) => outcome === 'broken')).toEqual([])
  expect(await recorded()).toEqual(before)
  expect(await halts()).toEqual([])
  nodeAt(1).heal()
  // The first node is still down: transactions reach the others.
  for (let pass = 0; pass < 6; pass++) await workOnce(api, anvil)
  expect(await newest()).toMatchObject({ state: 'paid' })
})

test('a node that reorgs alone: its deposit is not credited, and the node is named and left out', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wellplay-fork-'))
  const fork = await startAnvilNode({ logPath: join(folder, 'anvil.log'), forkOf: anvil.settings.RPC_URL })
  const chain = createChain(api.context.config.chain)
  try {
    const from = user.wallet.address
    await fork.rpc('anvil_setBalance', [from, toHex(10n ** 20n)])
    await fork.rpc('anvil_impersonateAccount', [from])
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [ours(), 10n ** 18n] })
    const hash = await fork.rpc<Hex>('eth_sendTransaction', [{ from, to: anvil.usdt, data, gas: toHex(100_000) }])
    await fork.rpc('anvil_mine', [toHex(12)])
    expect(await fork.rpc('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
    nodeAt(2).follow(`http://127.0.0.1:${fork.port}`)
    for (let pass = 0; pass < 6; pass++) await workOnce({ context: { ...api.context, chain } }, anvil)
    await expect.poll(() => figure('wellplay_chain_node_left_out', 2)).toBe(1)
    expect(await figure('wellplay_chain_node_left_out', 0)).toBe(0)
    expect((await recorded()).map(({ tx_hash }) => tx_hash)).not.toContain(hash)
    expect(await halts()).toEqual([])
    const { hash: head } = await anvil.rpc<{ hash: Hex }>('eth_getBlockByNumber', ['latest', false])
    expect(await chain.client.getBlock({ blockTag: 'latest' })).toMatchObject({ hash: head })
  } finally {
    await fork.child.stop(0)
    rmSync(folder, { recursive: true, force: true })
  }
})

/** Three nodes in this process that answer as told, and how often each was asked. */
function threeNodes(leftOutMs: number) {
  const answers = ['0x1', '0x1', '0x1'] as (string | Error)[]
  const asked = [0, 0, 0]
  const requests = answers.map((_, at) => async () => {
    asked[at] = (asked[at] ?? 0) + 1
    const answer = answers[at]
    if (answer instanceof Error) throw answer
    return answer
  })
  const { request } = createMajority(
    requests.map((one, at) => ({ name: `node ${at}`, request: one })),
    leftOutMs,
  )
  return { answers, asked, read: () => request({ method: 'eth_chainId' }) }
}

test('a node that is left out is asked only when the others reach no majority, and two equal liars are needed', async () => {
  const { answers, asked, read } = threeNodes(60_000)
  answers[2] = '0x2'
  expect(await read()).toBe('0x1')
  await expect.poll(() => asked[2]).toBe(1)
  for (let ask = 0; ask < 5; ask++) expect(await read()).toBe('0x1')
  expect(asked).toEqual([6, 6, 1])
  answers[1] = new Error('down')
  await expect(read()).rejects.toThrow('Not enough chain nodes agree on the answer to eth_chainId')
  answers[2] = '0x1'
  expect(await read()).toBe('0x1')
  answers[0] = '0x3'
  await expect(read()).rejects.toThrow('Not enough chain nodes agree')
})

test('a node that agrees again is no longer reported as left out', async () => {
  const { answers, read } = threeNodes(0)
  const isLeftOut = async () => {
    const { values } = (await register.getSingleMetric('wellplay_chain_node_left_out')?.get()) ?? { values: [] }
    return values.find(({ labels }) => labels['node'] === 'node 2')?.value
  }
  answers[2] = '0x2'
  await read()
  await expect.poll(isLeftOut).toBe(1)
  answers[2] = '0x1'
  await read()
  await expect.poll(isLeftOut).toBe(0)
})
