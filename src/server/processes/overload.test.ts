import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { micro, parseUsdt } from '../../protocol/money.ts'
import { type Context, createContext } from '../context.ts'
import { userAccount } from '../ledger/accounts.ts'
import { systemClock } from '../platform/clock.ts'
import { newId } from '../platform/db.ts'
import type { Http } from '../platform/http.ts'
import { metricsText } from '../platform/metrics.ts'
import { aUser, createTestApi, type TestApi, testConfig } from '../testing/api.ts'
import { createOwnerPool } from '../testing/database.ts'
import { signTransfer } from '../testing/payments.ts'
import { balancesOf, giveWallet } from '../testing/plans.ts'
import { createApi } from './api.ts'
import { STATEMENT_MS_MAX } from './api-databases.ts'

/** If a batch takes so long, a call may not wait for two of them. */
const SLOW_MS = 600
const LANES = 2

let api: TestApi
let context: Context
let http: Http
let close: () => Promise<void>
let owner: ReturnType<typeof createOwnerPool>

/** The API again, in a context whose ledger the test can fill. */
beforeAll(async () => {
  api = await createTestApi()
  const options = { statementMs: STATEMENT_MS_MAX.money }
  const created = createContext(testConfig(api.database.urls.api), 'test', systemClock, options)
  context = created.context
  close = created.close
  http = await createApi(context)
  owner = createOwnerPool(api.database.ownerUrl, 2)
})
afterAll(async () => {
  await owner.end()
  await http.close()
  await close()
  await api.close()
})

const blocked = async () =>
  (await owner.query(`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`))
    .rows.length

const countRefused = async () =>
  Number(/^wellplay_batch_queue_refused_total\{queue="ledger"\} (\d+)$/m.exec(await metricsText())?.[1])

/** Runs `work` while every posting of this account waits. */
async function whileLocked(account: bigint, work: () => Promise<void>): Promise<void> {
  const client = await owner.connect()
  await client.query('begin')
  await client.query('select from ledger_accounts where id = $1 for update', [account])
  await work().finally(() => client.query('rollback'))
  client.release()
}

test('a call beyond the bound is refused before anything is done, reads too, and its key can be used again', async () => {
  const [sender, receiver, crowd] = [await aUser(api), await aUser(api), await aUser(api)]
  for (const { number } of [sender, crowd]) await giveWallet(api, number, '100')
  const movements = [
    { from: userAccount(crowd.number, 'wallet'), to: userAccount(receiver.number, 'wallet'), amount: micro(1n) },
  ]
  const crowding: Promise<unknown>[] = []
  const submit = () => crowding.push(context.ledger.submit({ kind: 'transfer', reference: newId(), movements }))
  const fill = () => {
    while (!context.ledger.isCrowded()) submit()
  }
  const order = { to_user: receiver.username, amount: '1', source: 'wallet' as const }
  const payload = { ...order, ...(await signTransfer(sender, order)) }
  const headers = { token: sender.token, 'idempotency-key': newId() }
  const send = () => http.inject({ method: 'POST', url: '/api/internal_transfer/', headers, payload })
  const read = () => http.inject({ method: 'POST', url: '/api/detail/', headers: { token: sender.token }, payload: {} })

  const account = userAccount(crowd.number, 'wallet')
  await whileLocked(account, async () => {
    submit()
    await sleep(SLOW_MS)
  })
  await Promise.all(crowding)
  expect([(await read()).statusCode, await balancesOf(api, sender)]).toMatchObject([200, { wallet: parseUsdt('100') }])

  await whileLocked(account, async () => {
    // Both lanes get a batch that waits for the lock. Then the queue is filled again.
    const before = await countRefused()
    fill()
    await expect.poll(blocked).toBe(LANES)
    fill()
    const { statusCode, headers: sent, body } = await send()
    expect([statusCode, sent['retry-after'], JSON.parse(body).code]).toEqual([503, '1', 'unavailable'])
    expect(await read()).toMatchObject({ statusCode: 503, headers: { 'retry-after': '1' } })
    expect((await http.inject({ url: '/healthz' })).statusCode).toBe(200)
    expect(await countRefused()).toBe(before + 1)
    expect(await balancesOf(api, sender)).toMatchObject({ wallet: parseUsdt('100') })
  })
  await Promise.all(crowding)

  const first = await send()
  expect(first.statusCode).toBe(200)
  expect((await send()).json()).toEqual(first.json())
  expect((await read()).statusCode).toBe(200)
  expect(await balancesOf(api, sender)).toMatchObject({ wallet: parseUsdt('99') })
  expect(await balancesOf(api, receiver)).toMatchObject({ wallet: parseUsdt('1') + BigInt(crowding.length) })
})

const inFlight = async () =>
  Number(/^wellplay_batch_queue_items\{queue="calls"\} (\d+)$/m.exec(await metricsText())?.[1])

test('a call of a user is in flight until it is answered; visitors, health checks and event streams are not counted', async () => {
  const [sender, receiver] = [await aUser(api), await aUser(api)]
  await giveWallet(api, sender.number, '100')
  const order = { to_user: receiver.username, amount: '1', source: 'wallet' as const }
  const payload = { ...order, ...(await signTransfer(sender, order)) }
  const headers = { token: sender.token, 'idempotency-key': newId() }
  const sent: Promise<{ statusCode: number }>[] = []
  await whileLocked(userAccount(sender.number, 'wallet'), async () => {
    sent.push(http.inject({ method: 'POST', url: '/api/internal_transfer/', headers, payload }))
    await expect.poll(blocked).toBe(1)
    expect(await inFlight()).toBe(1)
    for (const url of ['/healthz', '/api/terms/'])
      expect([(await http.inject({ url })).statusCode, await inFlight()]).toEqual([200, 1])
    const events = await http.inject({ url: '/api/events/', headers: { token: sender.token }, payloadAsStream: true })
    expect([events.statusCode, await inFlight()]).toEqual([200, 1])
    events.stream().destroy()
  })
  expect((await sent[0])?.statusCode).toBe(200)
  expect(await inFlight()).toBe(0)
})
