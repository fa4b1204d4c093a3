import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { add, micro, parseUsdt, subtract } from '../../../protocol/money.ts'
import { trust } from '../../../protocol/trust.ts'
import { checkInvariants } from '../../ledger/audit.ts'
import { getSystemBalances } from '../../ledger/balances.ts'
import { aPlayer, createTestTable, type TestTable } from '../../testing/colour.ts'
import { signedWithdrawal } from '../../testing/payments.ts'
import { giveRewards, giveWallet } from '../../testing/plans.ts'
import { recordRoot } from '../../testing/roots.ts'
import { trustInvariants } from './invariants.ts'

let table: TestTable
beforeAll(async () => {
  table = await createTestTable()
})
afterAll(() => table.close())

test('with open bets and withdrawals in progress, the parts of what we owe add up to the total', async () => {
  const player = await aPlayer(table)
  await giveWallet(table, player.number, '50.000001')
  await giveRewards(table, player.number, 'reward', '3.999999')
  await table.open()
  const headers = { token: player.token }
  const sent = [
    await table.send('POST', '/place-bet/', { color: 'green', amount: '7.5' }, headers),
    await table.send('POST', '/withdraw_request/', await signedWithdrawal(player, '20'), headers),
  ]
  expect(sent.map(({ status }) => status)).toEqual([200, 200])

  const { data } = await table.call(trust.summary, {})
  const amounts = Object.fromEntries(data.owed.map(({ kind, amount }) => [kind, amount]))
  expect(amounts).toMatchObject({ bet_escrow: parseUsdt('7.5'), payout_pending: parseUsdt('19') })
  expect(add(...data.owed.map(({ amount }) => amount))).toBe(data.liabilities)
  // All accounts sum to zero, so users are owed what custody holds and the operator does not own.
  const { custody, operator, reward_pool, royalty_pool, health_pool, house, fees } = await getSystemBalances(
    table.context.db,
  )
  const owned = add(operator, reward_pool, royalty_pool, health_pool, house, fees)
  expect(data.liabilities).toBe(subtract(micro(-custody), owned))
  // The leaves have the same sum: the stake and the withdrawal are in the player's leaf.
  await recordRoot(table.context)
  const { db } = table.context
  expect((await db.transaction().execute((tx) => checkInvariants(tx, trustInvariants))).passed).toBe(true)
})

test('a reply has the time at which its figures were read, also when it is sent to a later caller', async () => {
  const measured = async () => (await table.call(trust.summary, {})).data.measured_at.getTime()
  const now = async () => {
    const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(table.context.db)
    return rows[0]?.now.getTime() ?? 0
  }
  const first = await measured()
  const between = await now()
  const second = await measured()
  expect(first).toBeLessThanOrEqual(between)
  // Either the kept reply, or one that was read after the first. On a busy machine it may be too old to be kept.
  expect(second === first || second >= between).toBe(true)
  expect(second).toBeLessThanOrEqual(await now())
})
