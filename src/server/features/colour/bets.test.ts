import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { colour } from '../../../protocol/colour.ts'
import { exposureOf } from '../../../protocol/colour-draw.ts'
import { type Colour, colours } from '../../../protocol/colour-odds.ts'
import { parseUsdt } from '../../../protocol/money.ts'
import { runAudit } from '../../ledger/audit.ts'
import { halt } from '../../ledger/halt.ts'
import { invariants } from '../../operators/invariants.ts'
import { transaction } from '../../platform/db.ts'
import { aPlayer, askFor, createTestTable, type TestTable } from '../../testing/colour.ts'
import { resumePayouts } from '../../testing/ops.ts'
import { createBetting } from './bets.ts'

let table: TestTable
beforeAll(async () => {
  table = await createTestTable()
})
afterAll(() => table.close())

const send = (token: string, body: unknown, key?: string) =>
  table.send('POST', '/place-bet/', body, { token, ...(key && { 'idempotency-key': key }) })
const countBets = async (round: bigint) =>
  (await table.context.db.selectFrom('colour_bets').selectAll().where('round', '=', round).execute()).length

async function finish(number: bigint): Promise<void> {
  await table.closeBetting(number)
  await table.draw(number)
}

describe('a bet', () => {
  it('is placed once per idempotency key; the same key with another bet is refused', async () => {
    const player = await aPlayer(table)
    const round = await table.open()
    const body = { amount: '2', color: 'red' }
    const replies = await Promise.all(Array.from({ length: 10 }, () => send(player.token, body, 'key-1')))
    expect(new Set(replies.map((reply) => JSON.stringify(reply)))).toHaveLength(1)
    expect(replies[0]?.status).toBe(200)
    expect(await countBets(round)).toBe(1)
    expect(await send(player.token, { amount: '3', color: 'red' }, 'key-1')).toMatchObject({
      status: 409,
      body: { code: 'idempotency_mismatch' },
    })
    await finish(round)
    expect(await send(player.token, body, 'key-1')).toEqual(replies[0])
  })

  it('is a new bet when another user sends the same key, and on every call without a key', async () => {
    const [one, two] = [await aPlayer(table), await aPlayer(table)]
    const round = await table.open()
    for (const { token } of [one, two]) await send(token, { amount: '2', color: 'red' }, 'same')
    for (let times = 0; times < 2; times++) await send(one.token, { amount: '2', color: 'red' })
    expect(await countBets(round)).toBe(4)
    await finish(round)
  })

  it.each([
    ['0.099999', 'amount_below_minimum'],
    ['500.000001', 'amount_above_limit'],
    ['0', 'amount_zero'],
    ['-1', 'amount_format'],
    ['1e2', 'amount_format'],
    ['0.1234567', 'amount_precision'],
  ])('of %s is refused: %s', async (amount, code) => {
    const player = await aPlayer(table, '1000')
    const round = await table.open()
    expect((await send(player.token, { amount, color: 'red' })).body.code).toBe(code)
    expect(await countBets(round)).toBe(0)
    await finish(round)
  })

  it('is refused above the balance, on an unknown colour, without a session and between rounds', async () => {
    const player = await aPlayer(table, '1')
    expect((await send(player.token, { amount: '1', color: 'red' })).body.code).toBe('round_closed')
    const round = await table.open()
    expect((await send(player.token, { amount: '1.000001', color: 'red' })).body.code).toBe('insufficient_balance')
    expect((await send(player.token, { amount: '1', color: 'blue' })).status).toBe(400)
    expect((await send('', { amount: '1', color: 'red' })).status).toBe(401)
    expect((await send(player.token, { amount: 1, color: 'red' })).status).toBe(200)
    await finish(round)
  })

  it('is refused while payouts and bets are halted, and the page says why', async () => {
    const player = await aPlayer(table)
    const round = await table.open()
    await transaction(table.context.db, (tx) => halt(tx, 'operator', 'the books are being counted'))
    const reply = await send(player.token, { amount: '1', color: 'red' })
    expect(reply).toMatchObject({ status: 503, body: { code: 'halted' } })
    const { data } = await table.call(colour.activeGame, {}, player.token)
    expect(data.closed_because).toContain('the books are being counted')
    await resumePayouts(table)
    expect((await send(player.token, { amount: '1', color: 'red' })).status).toBe(200)
    await finish(round)
  })

  it('appears in the active game, then in the history with its result', async () => {
    const player = await aPlayer(table)
    const round = await table.open()
    await send(player.token, { amount: '1', color: 'violet' })
    const { data } = await table.call(colour.activeGame, {}, player.token)
    expect(data).toMatchObject({ bets: [{ round: Number(round), state: 'open' }], bet_balance: parseUsdt('99') })
    expect(data.round?.stakes.violet).toBe(parseUsdt('1'))
    await finish(round)
    const { history, total } = await table.call(colour.betHistory, {}, player.token)
    expect(total).toBe(1)
    const won = history[0]?.outcome === 'violet'
    expect(history[0]).toMatchObject({ state: won ? 'won' : 'lost', payout: parseUsdt(won ? '24' : '0') })
    expect((await table.call(colour.activeGame, {}, player.token)).data.bets).toEqual([])
  })
})

it('accepts no bet after closing and loses none before, with 74 connections betting at that moment', async () => {
  // A table of its own, so that its connections are closed before the next test.
  const busy = await createTestTable({ settings: { DATABASE_CONNECTIONS: '84' } })
  const { db } = busy.context
  const players = await Promise.all(Array.from({ length: 74 }, () => aPlayer(busy, '10')))
  const round = await busy.open()
  // Opens every connection, so that no bet has to wait for one.
  await Promise.all(players.map(() => sql`select pg_sleep(0.5)`.execute(db)))
  const closesAt = await closeSoon(busy, round)
  const attempt = async (player: (typeof players)[number], at: number) => {
    // Each has its own queue, as if it were another process.
    const place = createBetting(db)
    // Half start a little earlier, so that bets are waiting for the lock at closing time.
    const aheadMs = at % 2 === 0 ? 5 - (at / 74) * 10 : 2_000 - at * 27
    await sleep(closesAt.getTime() - aheadMs - Date.now())
    const bet = { userNumber: player.number, colour: colours[at % 3] as Colour, stake: parseUsdt('0.1') }
    return (await place(askFor(bet))).data
  }
  const outcomes = await Promise.allSettled(players.map(attempt))
  const taken = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []))
  expect(new Set(refused)).toEqual(new Set(refused.length > 0 ? ['round_closed'] : []))
  const rows = await db.selectFrom('colour_bets').selectAll().where('round', '=', round).execute()
  expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(taken.map(({ id }) => id)))
  expect(rows.every(({ placed_at }) => placed_at < closesAt)).toBe(true)
  expect(taken.length).toBeGreaterThan(0)
  expect(await busy.escrow()).toBe(BigInt(taken.length) * 100_000n)
  await busy.draw(round)
  const report = await runAudit(db, invariants)
  expect(report.invariants.flatMap(({ findings }) => findings)).toEqual([])
  await busy.close()
})

/** Sets the closing time to three seconds from now. */
async function closeSoon({ context, closeBetting }: TestTable, round: bigint): Promise<Date> {
  await closeBetting(round, -3)
  const rounds = context.db.selectFrom('colour_rounds').select('closes_at').where('number', '=', round)
  return (await rounds.executeTakeFirstOrThrow()).closes_at
}

describe('the house', () => {
  it('accepts no bet it could not pay, across all open rounds and with many bets at once', async () => {
    const poor = await createTestTable({ house: '50', settings: { DATABASE_CONNECTIONS: '30' } })
    const players = await Promise.all(Array.from({ length: 20 }, () => aPlayer(poor, '100')))
    const bet = (player: { token: string }, color: Colour, amount: string) =>
      poor.send('POST', '/place-bet/', { amount, color }, { token: player.token })
    const first = await poor.open()
    const replies = await Promise.all(players.map((player) => bet(player, 'violet', '1')))
    // Two violet bets of 1 cost at most 46; a third would raise that to 69.
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(2)
    expect(new Set(replies.map(({ body }) => body.code))).toEqual(new Set([undefined, 'round_full']))
    const player = players[0] ?? { token: '' }
    expect((await bet(player, 'red', '20')).status).toBe(200)
    // The stakes on red now help to pay violet: 48 − 22 = 26 at most.
    expect((await bet(player, 'violet', '1')).status).toBe(200)
    await poor.closeBetting(first)
    const second = await poor.open()
    expect((await bet(player, 'violet', '1')).body.code).toBe('round_full')
    await poor.draw(first)
    await poor.closeBetting(second)
    await poor.draw(second)
    expect(await poor.escrow()).toBe(0n)
    await poor.close()
  })

  it('can pay the most a round could cost after any sequence of bets', async () => {
    const poor = await createTestTable({ house: '20' })
    const players = await Promise.all(Array.from({ length: 3 }, () => aPlayer(poor, '500')))
    for (let game = 0; game < 5; game++) {
      const round = await poor.open()
      for (let at = 0; at < 12; at++) {
        const amount = String(((game * 31 + at * 17) % 29) + 1)
        await poor.send(
          'POST',
          '/place-bet/',
          { amount, color: colours[(at + game) % 3] },
          { token: players[at % 3]?.token ?? '' },
        )
        const { data } = await poor.call(colour.round, { number: String(round) })
        expect(exposureOf(data.stakes)).toBeLessThanOrEqual(await poor.house())
      }
      await poor.closeBetting(round)
      expect((await poor.draw(round))?.state).toBe('settled')
    }
    expect((await runAudit(poor.context.db, invariants)).passed).toBe(true)
    await poor.close()
  })
})

it('passes the audit after all these bets', async () => {
  const report = await runAudit(table.context.db, invariants)
  expect(report.invariants.flatMap(({ findings }) => findings)).toEqual([])
})
