import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChain } from '../chain/client.ts'
import { findLastAudit } from '../ledger/audit-runs.ts'
import { findHalt } from '../ledger/halt.ts'
import { createTestApi, type TestApi } from '../testing/api.ts'
import { type PaymentChain, startPaymentChain } from '../testing/chain.ts'
import { aDepositor, workOnce } from '../testing/payments.ts'
import { createAudits } from './audits.ts'

let api: TestApi
let node: PaymentChain
let nowMs = Date.now()
const clock = { now: () => new Date(nowMs) }
beforeAll(async () => {
  node = await startPaymentChain()
  api = await createTestApi({ settings: node.settings, clock })
  await workOnce(api, node)
  await aDepositor(api, node, '100')
  for (let pass = 0; pass < 4; pass++) await workOnce(api, node)
})
afterAll(async () => {
  await api.close()
  await node.stop()
})

test('after a restart nothing is audited or paid until the watcher has read what it missed', async () => {
  const audits = createAudits(api.context)
  expect([audits.isReady(), await audits.passes()]).toEqual([false, false])
  expect(await findLastAudit(api.context.db)).toBeUndefined()
  audits.setCaughtUp()
  expect(audits.isReady()).toBe(true)
  expect((await audits.run()).passed).toBe(true)
})

test('a node that stays silent does not stop the audit for long: our own books are checked, and nothing halts', async () => {
  const chain = createChain({ ...api.context.config.chain, rpcUrl: 'http://127.0.0.1:1' })
  const audits = createAudits({ ...api.context, chain })
  nowMs += 5 * 60_000
  expect([audits.isReady(), await audits.passes()]).toEqual([false, false])
  nowMs += 1
  expect(audits.isReady()).toBe(true)
  await audits.run()
  const last = await findLastAudit(api.context.db)
  expect(last?.broken).toEqual([])
  expect(last?.unchecked).toContain(5)
  expect(last?.held).toEqual(expect.arrayContaining([1, 2, 3, 4]))
  expect(await findHalt(api.context.db)).toBeUndefined()
})
