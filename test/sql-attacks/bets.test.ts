import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPlayer, createTestTable, type TestTable } from '../../src/server/testing/colour.ts'
import { type Attacker, createAttacker } from './attacker.ts'

let table: TestTable
let attacker: Attacker
let player: number
let round: bigint
beforeAll(async () => {
  table = await createTestTable()
  attacker = await createAttacker(table.database)
  player = (await aPlayer(table)).number
  round = await table.open()
})
afterAll(async () => {
  await attacker.close()
  await table.close()
})

const insert = (placedAt: string, stake = 1_000_000) => `
  insert into colour_bets (id, round, user_number, colour, stake, placed_at)
  values (new_id(), ${round}, ${player}, 'red', ${stake}, ${placedAt})`

test.each([
  ['before its transaction', `transaction_timestamp() - interval '1 microsecond'`],
  ['in the future', `clock_timestamp() + interval '1 second'`],
  ['before the round opened', `(select opens_at - interval '1 second' from colour_rounds where number = 1)`],
])('the API cannot insert a bet with a time %s', async (_name, placedAt) => {
  await expect(attacker.as('api', insert(placedAt))).rejects.toThrow(`betting on round ${round} is closed`)
})

test('bets that the API inserts together count in the round and in the daily totals, and without money the audit names them', async () => {
  await attacker.as(
    'api',
    `${insert('clock_timestamp()', 2_000_000)}, (new_id(), ${round}, ${player}, 'violet', 3000000, clock_timestamp())`,
  )
  const [stakes] = await attacker.as(
    'api',
    `select bets, stake_red, stake_violet from colour_rounds where number = ${round}`,
  )
  expect(stakes).toEqual({ bets: 2, stake_red: '2000000', stake_violet: '3000000' })
  const totals = await attacker.as('api', `select staked, lost from colour_daily_totals where user_number = ${player}`)
  expect(totals).toEqual([{ staked: '5000000', lost: '5000000' }])
  const { invariants } = await attacker.audit()
  const found = invariants.find(({ number }) => number === 20)?.findings
  expect(found).toContain('bet_escrow holds 0, but open rounds have stakes of 5000000')
})

test('the API cannot insert a bet after closing, even in a transaction that began before', async () => {
  await attacker.as('api', 'begin; select now()')
  await table.closeBetting(round)
  await expect(attacker.as('api', insert('transaction_timestamp()'))).rejects.toThrow('is closed')
})
