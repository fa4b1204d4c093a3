import { afterAll, beforeAll, expect, it } from 'vitest'
import { colour } from '../../../protocol/colour.ts'
import { colours } from '../../../protocol/colour-odds.ts'
import { micro } from '../../../protocol/money.ts'
import { migrate } from '../../platform/migrate.ts'
import { aPlayer, createTestTable, type TestTable } from '../../testing/colour.ts'

let table: TestTable
let players: number[]
beforeAll(async () => {
  table = await createTestTable()
  players = (await Promise.all(Array.from({ length: 3 }, () => aPlayer(table)))).map(({ number }) => number)
})
afterAll(() => table.close())

type Total = { user_number: number; day: Date; staked: string; lost: string }

const readTotals = async (): Promise<Total[]> =>
  (await table.owner.query('select * from colour_daily_totals order by user_number, day')).rows

/** The same figures, computed from the bets. */
const computeTotals = async (): Promise<Total[]> =>
  (
    await table.owner.query(`
      select user_number, (placed_at at time zone 'UTC')::date as day,
        coalesce(sum(stake) filter (where state <> 'refunded'), 0) as staked, sum(stake - payout) as lost
      from colour_results group by 1, 2 order by 1, 2`)
  ).rows

async function playRound(): Promise<bigint> {
  const round = await table.open()
  for (const [at, userNumber] of players.entries())
    for (const color of colours)
      await table.bet({ userNumber, colour: color, stake: micro(BigInt(100_000 * (at + 1))) })
  return round
}

it('match the bets while a round is open, and after it is settled or refunded', async () => {
  for (const closedSecondsAgo of [0, 61]) {
    const round = await playRound()
    expect(await readTotals()).toEqual(await computeTotals())
    await table.closeBetting(round, closedSecondsAgo)
    expect((await table.draw(round))?.state).toBe(closedSecondsAgo === 0 ? 'settled' : 'refunded')
    expect(await readTotals()).toEqual(await computeTotals())
  }
  expect(await readTotals()).toHaveLength(players.length)
})

it('count the winnings of a round as soon as it is drawn, before it is paid', async () => {
  const player = await aPlayer(table)
  await table.call(colour.setLimit, { kind: 'loss', amount: '3' }, player.token)
  const round = await table.open()
  for (const color of colours) await table.call(colour.placeBet, { amount: '1', color }, player.token)
  await expect(table.call(colour.placeBet, { amount: '0.1', color: 'red' }, player.token)).rejects.toThrow(
    'limit_reached',
  )
  await table.closeBetting(round)
  await table.drawOnly(round)
  const next = await table.open()
  // One of the three bets has won at least twice its stake.
  await table.call(colour.placeBet, { amount: '2', color: 'red' }, player.token)
  const { lost } = (await computeTotals()).find(({ user_number }) => user_number === player.number) as Total
  expect((await table.call(colour.limits, {}, player.token)).data.lost_today).toBe(BigInt(lost))
  for (const number of [round, next]) {
    if (number === next) await table.closeBetting(next)
    await table.draw(number)
    expect(await readTotals()).toEqual(await computeTotals())
  }
})

it('are computed from the bets of the last days when the table is new', async () => {
  const round = await playRound()
  const before = await readTotals()
  await table.owner.query(`delete from colour_daily_totals; update function_files set sha256 = ''`)
  await migrate(table.database.ownerUrl)
  expect(await readTotals()).toEqual(before)
  await table.closeBetting(round)
  await table.draw(round)
  expect(await readTotals()).toEqual(await computeTotals())
})
