import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { trust } from '../../protocol/trust.ts'
import { withdrawals } from '../../protocol/withdrawals.ts'
import { auditAndHalt } from '../ledger/audit.ts'
import { allInvariants } from '../operators/invariants.ts'
import { createFigures } from '../processes/figures.ts'
import { createTestApi, type TestApi, testSettings } from '../testing/api.ts'
import { type NodeFault, nodeLies, startBadNode } from '../testing/bad-node.ts'
import { type PaymentChain, startPaymentChain } from '../testing/chain.ts'
import { aDepositor, type TestUser, withdraw, workOnce } from '../testing/payments.ts'

/** The product reaches anvil only through a proxy that lies on request. */
let api: TestApi
let anvil: PaymentChain
let proxy: Awaited<ReturnType<typeof startBadNode>>
let settings: Record<string, string>
let user: TestUser

beforeAll(async () => {
  anvil = await startPaymentChain()
  proxy = await startBadNode(anvil.settings.RPC_URL)
  settings = { ...anvil.settings, RPC_URL: proxy.url }
  api = await createTestApi({ settings })
  await workOnce(api, anvil)
  user = await aDepositor(api, anvil, '500')
  await expectPaid()
})
afterAll(async () => {
  await api.close()
  proxy.stop()
  await anvil.stop()
})

const audit = () => auditAndHalt(api.context.db, allInvariants(api.context.chain))
const halts = () => api.context.db.selectFrom('halts').selectAll().execute()

const published = async () => (await api.call(trust.summary, {})).data

/** A withdrawal that is requested now is paid, without any action of an operator. */
async function expectPaid(): Promise<void> {
  await withdraw(api, user, '10')
  for (let pass = 0; pass < 6; pass++) await workOnce(api, anvil)
  const { data } = await api.call(withdrawals.history, { page_no: 1 }, user.token)
  expect(data[0]).toMatchObject({ state: 'paid' })
}

/** One pass of the worker. The loops of the real worker also survive a pass that fails. */
const pass = () => workOnce(api, anvil).catch(() => {})

test.each(nodeLies)(
  'one answer with a lie (%s) halts nothing, publishes nothing wrong, and payouts go on',
  async (lie) => {
    const before = proxy.spoiled()
    await withdraw(api, user, '10')
    proxy.spoil(lie, 1)
    await pass()
    expect(await halts()).toEqual([])
    proxy.spoil(lie, 1)
    await audit()
    proxy.heal()
    expect(proxy.spoiled()).toBeGreaterThan(before)
    expect(await halts()).toEqual([])
    expect((await published()).audit).toMatchObject({ broken: [], unchecked: [] })
    await expectPaid()
  },
)

test.each<[NodeFault, number]>([
  ['500', 2],
  ['429', 2],
  ['cut', 2],
  ['silence', 1],
])('a node that fails (%s) halts nothing, and payouts go on', async (fault, answers) => {
  proxy.spoil(fault, answers)
  await audit()
  proxy.spoil(fault, answers)
  await pass()
  proxy.heal()
  expect(await halts()).toEqual([])
  expect((await published()).audit).toMatchObject({ broken: [] })
  await expectPaid()
})

test('a node that is down is published as "could not be checked", and bets and payouts are not halted', async () => {
  proxy.down()
  const report = await audit()
  proxy.heal()
  const unchecked = [5, 6, 7, 8, 10, 31, 32]
  expect(report.invariants.filter(({ outcome }) => outcome === 'unchecked').map(({ number }) => number)).toEqual(
    unchecked,
  )
  expect(await halts()).toEqual([])
  const { audit: shown } = await published()
  expect(shown).toMatchObject({ broken: [], unchecked, held: expect.arrayContaining([1, 2, 3, 4, 9]) })
  expect(shown?.complete_at?.getTime()).toBeLessThan(shown?.at.getTime() ?? 0)
  const metrics = await createFigures(api.context).metrics()
  expect(metrics).toContain('wellplay_audit_invariants{outcome="unchecked"} 7')
  expect(metrics).toMatch(/^wellplay_audit_complete_age_seconds \d/m)
})

test.each<[NodeFault, string]>([
  ['wrong block hash', 'The chain node reports another block'],
  ['wrong nonce', 'The chain node reports transactions of the payout wallet that we did not send'],
])('a node that keeps lying (%s) halts with what it reports; the halt ends when it is honest', async (lie, reason) => {
  await withdraw(api, user, '10')
  proxy.spoil(lie, 1_000)
  for (let count = 0; count < 3; count++) await pass()
  expect(await halts()).toEqual([expect.objectContaining({ reason: expect.stringContaining(reason) })])
  proxy.heal()
  await pass()
  expect(await halts()).toHaveLength(1)
  await pass()
  await pass()
  expect(await halts()).toEqual([])
  await expectPaid()
})

test('a worker killed with −9 while the node lies leaves no halt that needs an operator', async () => {
  proxy.spoil('wrong block hash', 1_000)
  const worker = join(import.meta.dirname, '../testing/payout-worker.ts')
  const child = fork(worker, [JSON.stringify({ ...testSettings(api.database.appUrl), ...settings }), ''], {
    stdio: 'ignore',
  })
  await once(child, 'message')
  const lies = proxy.spoiled()
  child.send('go')
  await expect.poll(() => proxy.spoiled()).toBeGreaterThan(lies + 4)
  child.kill('SIGKILL')
  await once(child, 'exit')
  proxy.heal()
  for (let count = 0; count < 3; count++) await pass()
  expect(await halts()).toEqual([])
  await expectPaid()
  expect((await audit()).passed).toBe(true)
})
