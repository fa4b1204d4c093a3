import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Routes } from '../../protocol/route.ts'
import { routes } from '../../protocol/routes.ts'
import { aUser, type TestApi } from '../testing/api.ts'
import { createTestTable, type TestTable } from '../testing/colour.ts'
import { createOwnerPool } from '../testing/database.ts'
import { isListening } from '../testing/events.ts'
import { signTransfer } from '../testing/payments.ts'
import { giveWallet } from '../testing/plans.ts'

let api: TestTable
let owner: Pool
beforeAll(async () => {
  api = await createTestTable()
  owner = createOwnerPool(api.database.ownerUrl, 2)
})
afterAll(async () => {
  await owner.end()
  await api.close()
})

/** Blocks every statement that uses the table while `work` runs. */
async function whileLocked(table: string, work: () => Promise<void>): Promise<void> {
  const client = await owner.connect()
  try {
    await client.query(`begin; lock table ${table} in access exclusive mode`)
    await work()
  } finally {
    await client.query('rollback')
    client.release()
  }
}

const sharedPaths = Object.values<Routes>(routes).flatMap((table) =>
  Object.values(table).flatMap((route) => (route.shared ? [route] : [])),
)

test('only replies that are the same for everyone are shared', () => {
  expect(sharedPaths.map(({ path }) => path).sort()).toEqual(
    [
      '/colour/fairness/',
      '/colour/running/',
      '/games/',
      '/plans/',
      '/terms/',
      '/trust/summary/',
      '/wellness/community/',
    ].sort(),
  )
  for (const { auth, changes, method } of sharedPaths) expect([auth, changes, method]).toEqual(['none', false, 'GET'])
})

test('a public figure is read once for 200 callers, and other calls do not wait behind it', async () => {
  const { token } = await aUser(api)
  const waiting: ReturnType<TestApi['send']>[] = []
  await whileLocked('trust_history', async () => {
    for (let at = 0; at < 200; at++) waiting.push(api.send('GET', '/trust/summary/'))
    const blocked = async () => {
      const { rows } = await owner.query(
        "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%trust_history%'",
      )
      return rows.length
    }
    await expect.poll(blocked).toBe(1)
    expect((await api.send('POST', '/detail/', {}, { token })).status).toBe(200)
    expect((await api.send('GET', '/plans/')).status).toBe(200)
    expect(await blocked()).toBe(1)
  })
  const replies = await Promise.all(waiting)
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1)
})

test('a page that fetches after a public event gets the change, not a shared reply from before it', async () => {
  const total = async () => (await api.http.inject('/api/games/')).json().total as number
  await expect.poll(() => isListening(api.context.db)).toBe(true)
  const number = await api.open()
  await api.closeBetting(number)
  expect(await total()).toBe(0)
  const fetched = new Promise<number>((resolve) =>
    api.context.events.subscribe(({ topic }) => topic === 'round' && resolve(total())),
  )
  await api.draw(number)
  expect(await fetched).toBe(1)
  expect((await api.http.inject('/api/games/')).headers['age']).toBe('0')
})

test('a statement that takes too long is cancelled, and the call gets 503 in the one error shape', async () => {
  const [user, friend] = [await aUser(api), await aUser(api)]
  await giveWallet(api, user.number, '5')
  const headers = { token: user.token, 'idempotency-key': crypto.randomUUID() }
  const unsigned = { to_user: friend.username, amount: '1', source: 'wallet' as const }
  const transfer = { ...unsigned, ...(await signTransfer(user, unsigned)) }
  await whileLocked('ledger_accounts', async () => {
    const replies = await Promise.all([
      api.send('GET', '/plans/'),
      api.send('POST', '/detail/', {}, { token: user.token }),
      api.send('POST', '/betwallet/', { direction: 'deposit', amount: '1', source: 'wallet' }, headers),
      api.send('POST', '/internal_transfer/', transfer, headers),
    ])
    for (const { status, body } of replies)
      expect([status, body.status, body.code]).toEqual([503, 'error', 'unavailable'])
  })
  const { body } = await api.send('POST', '/detail/', {}, { token: user.token })
  expect(body['data']).toMatchObject({ wallet: '5', bet: '0' })
  expect((await api.send('POST', '/internal_transfer/', transfer, headers)).status).toBe(200)
})
