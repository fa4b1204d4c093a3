import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aUser, type TestApi } from '../testing/api.ts'
import { createTestTable, type TestTable } from '../testing/colour.ts'
import { createOwnerPool } from '../testing/database.ts'
import { withdraw } from '../testing/payments.ts'
import { aUserWithPlan, fundPool, giveWallet } from '../testing/plans.ts'
import { recordRoot } from '../testing/roots.ts'
import { createFigures } from './figures.ts'

let api: TestTable
let owner: Pool
beforeAll(async () => {
  api = await createTestTable()
  owner = createOwnerPool(api.database.ownerUrl)
})
afterAll(async () => {
  await owner.end()
  await api.close()
})

/** The value of one series, as Prometheus reads it. */
async function read(series: string, { context }: TestApi = api): Promise<number> {
  const line = (await createFigures(context).metrics()).split('\n').find((each) => each.startsWith(`${series} `))
  const text = line?.slice(series.length + 1)
  return text === '+Inf' ? Number.POSITIVE_INFINITY : Number(text)
}

/** Changes rows as nobody but the owner of the database can. */
const forge = (statement: string) =>
  owner.query(`begin; set local session_replication_role = replica; ${statement}; commit`)

test('the cover of a pool is endless without plans, and falls with each of them', async () => {
  const cover = 'wellplay_pool_cover_days{pool="reward_pool"}'
  await fundPool(api, 'reward_pool', '100')
  expect(await read('wellplay_pool_usdt{pool="reward_pool"}')).toBe(100)
  expect(await read(cover)).toBe(Number.POSITIVE_INFINITY)
  await aUserWithPlan(api, '1000')
  const one = await read(cover)
  expect(one).toBeGreaterThan(0)
  await aUserWithPlan(api, '1000')
  expect(await read(cover)).toBe(Math.floor(one / 2))
})

test('an order that the browser abandoned waits in its queue', async () => {
  expect(await read('wellplay_queue_items{queue="plan_orders"}')).toBe(0)
  const { number } = await aUserWithPlan(api, '100')
  await forge(`update plan_orders set upline_completed_at = null, ordered_at = now() - interval '1 hour'
    where user_number = ${number}`)
  expect(await read('wellplay_queue_items{queue="plan_orders"}')).toBe(1)
  expect(await read('wellplay_queue_oldest_seconds{queue="plan_orders"}')).toBeGreaterThanOrEqual(3_600)
  expect(await read('wellplay_queue_items{queue="deposit_claims"}')).toBe(0)
  expect(await read('wellplay_queue_oldest_seconds{queue="deposit_claims"}')).toBe(0)
})

test('a withdrawal is counted by its state, with the time it has been in it', async () => {
  expect(await read('wellplay_withdrawals{state="requested"}')).toBe(0)
  const user = await aUser(api)
  await giveWallet(api, user.number, '50')
  await withdraw(api, user, '20')
  expect(await read('wellplay_withdrawals{state="requested"}')).toBe(1)
  await forge(`update withdrawals set changed_at = now() - interval '1 hour'`)
  expect(await read('wellplay_withdrawal_age_seconds{state="requested"}')).toBeGreaterThanOrEqual(3_600)
  expect(await read('wellplay_withdrawal_age_seconds{state="sent"}')).toBe(0)
})

test('a round without a draw makes the game late, and so does a round that was not opened', async () => {
  const lag = 'wellplay_round_lag_seconds'
  const number = await api.open()
  expect(await read(lag)).toBe(0)
  await api.closeBetting(number, 100)
  expect(await read(lag)).toBeGreaterThanOrEqual(100)
  await api.draw(number)
  await forge(`update colour_rounds set opens_at = now() - interval '10 minutes'`)
  expect(await read(lag)).toBeGreaterThanOrEqual(500)
  const off = { ...api.context, config: { ...api.context.config, colourRealMoney: false } }
  expect(await read(lag, { ...api, context: off })).toBeNaN()
})

test('the root in the vault is as old as its balances, and endlessly old if there never was one', async () => {
  const age = 'wellplay_root_age_seconds'
  await aUser(api)
  expect(await read(age)).toBe(Number.POSITIVE_INFINITY)
  await recordRoot(api.context)
  expect(await read(age)).toBeLessThan(3_600)
  await forge(`update liability_snapshots set taken_at = taken_at - interval '2 hours'`)
  expect(await read(age)).toBeGreaterThanOrEqual(7_200)
  expect(await read('wellplay_root_every_seconds')).toBe(3_600)
  await forge('delete from chain_cursor')
})

test('deposits are as old as the last step of the watcher', async () => {
  expect(await read('wellplay_deposits_read_age_seconds')).toBeNaN()
  const { chainId } = api.context.config.chain
  await forge(`insert into chain_cursor values (${chainId}, 7, '0x${'7'.repeat(64)}', now() - interval '10 minutes')`)
  expect(await read('wellplay_deposits_read_age_seconds')).toBeGreaterThanOrEqual(600)
})
