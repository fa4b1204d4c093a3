import { afterEach, beforeEach, expect, test } from 'vitest'
import { balance } from '../src/protocol/balance.ts'
import { parseUsdt } from '../src/protocol/money.ts'
import type { Route } from '../src/protocol/route.ts'
import { transfers } from '../src/protocol/transfers.ts'
import { trust } from '../src/protocol/trust.ts'
import { withdrawals } from '../src/protocol/withdrawals.ts'
import { payWithdrawals } from '../src/server/features/withdrawals/payouts.ts'
import { aUser, createTestApi, type TestApi } from '../src/server/testing/api.ts'
import { type PaymentChain, startPaymentChain } from '../src/server/testing/chain.ts'
import { transfer, withdraw, workOnce } from '../src/server/testing/payments.ts'
import { giveWallet, type TestUser } from '../src/server/testing/plans.ts'
import { type Replicas, startReplicas } from '../src/server/testing/replicas.ts'
import { recordRoot } from '../src/server/testing/roots.ts'

/** What leaves the product for good must be on the standby first: signed documents, histories and payouts (R26). */
let replicas: Replicas
let node: PaymentChain
let api: TestApi
let user: TestUser

beforeEach(async () => {
  replicas = await startReplicas()
  node = await startPaymentChain()
  api = await connect(replicas.primary)
  // Nothing is paid before the watcher has read the chain.
  await workOnce(api, node)
  await node.give(node.vault, parseUsdt('1000'))
  user = await aUser(api)
  await giveWallet(api, user.number, '100')
})
afterEach(async () => {
  replicas.thaw()
  await api.close()
  await node.stop()
  await replicas.stop()
})

/** Reads keep their connections while they wait. */
const extra = { DATABASE_CONNECTIONS: '20', RECEIPT_KEY: `0x${'7'.repeat(64)}` }
const connect = (database: Replicas['primary']) => createTestApi({ settings: { ...node.settings, ...extra }, database })

/** Runs `work` until its commit waits for the standby, then cuts its connection. The primary keeps what it wrote. */
async function cutOff(work: Promise<unknown>): Promise<void> {
  const failure = work.catch((error: unknown) => error)
  expect(await replicas.orWaits(failure)).toBe('waits')
  for (const pid of await replicas.listWaiting()) await replicas.terminate(pid)
  expect(await failure).toBeInstanceOf(Error)
}

test('histories and signed documents wait for the standby, balances do not', async () => {
  const friend = await aUser(api)
  await recordRoot(api.context)
  await replicas.freeze()
  await cutOff(transfer(api, user, friend, '30'))

  const read = ({ method, path }: Route, body: object) => api.send(method, path, body, { token: user.token })
  expect(await read(balance.details, {})).toMatchObject({ status: 200 })
  const reads = [
    [trust.receipt, { account: 'wallet', number: 2 }],
    [trust.proof, {}],
    [balance.statement, { account: 'wallet' }],
    [balance.statementCsv, { account: 'wallet' }],
    [transfers.history, {}],
    [withdrawals.history, {}],
  ] as const
  const replies = []
  for (const [route, body] of reads) {
    const reply = read(route, body)
    expect(await replicas.orWaits(reply, replies.push(reply)), route.path).toBe('waits')
  }
  replicas.thaw()
  expect((await Promise.all(replies)).map(({ status }) => status)).toEqual(reads.map(() => 200))
})

const countSent = async () => Number(await node.rpc('eth_getTransactionCount', [node.hot, 'pending']))

test('a payout that only the primary has stored is not sent, and the next primary pays once', async () => {
  await withdraw(api, user, '50')
  await replicas.freeze()
  const { db, chain, log } = api.context
  const pay = () => payWithdrawals({ db, chain, log, stuckSeconds: 60, passesAudit: async () => true })
  await cutOff(pay())
  const { rows } = await replicas.query('select from chain_payouts')
  expect(rows).toHaveLength(1)

  const pass = pay().catch((error: unknown) => error)
  expect(await replicas.orWaits(pass)).toBe('waits')
  expect(await countSent()).toBe(0)
  await replicas.failOver()
  expect(await pass).toBeInstanceOf(Error)

  await api.close()
  api = await connect(replicas.standby)
  for (let passes = 0; passes < 4; passes++) await workOnce(api, node)
  const { data } = await api.call(withdrawals.history, {}, user.token)
  expect(data).toMatchObject([{ state: 'paid', amount: parseUsdt('50') }])
  expect(await countSent()).toBe(1)
})
