import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { colour } from '../../../protocol/colour.ts'
import { drawOf, leadsTo } from '../../../protocol/colour-draw.ts'
import { colours, colourTable } from '../../../protocol/colour-odds.ts'
import { micro, parseUsdt } from '../../../protocol/money.ts'
import { defaultTerms } from '../../../protocol/terms-defaults.ts'
import { fromHex } from '../../../verifier/bytes.ts'
import { userAccount } from '../../ledger/accounts.ts'
import { getBalance } from '../../ledger/balances.ts'
import { transaction } from '../../platform/db.ts'
import { aPlayer, createTestTable, type TestTable } from '../../testing/colour.ts'
import { bindBlock, openRound, revealRound } from './draws.ts'
import { hmac, sha256 } from './hashes.ts'
import { finishRound } from './rounds.ts'

let table: TestTable
beforeAll(async () => {
  table = await createTestTable()
})
afterAll(() => table.close())

const betBalance = (user: { number: number }) => getBalance(table.context.db, userAccount(user.number, 'bet'))
const bet = (user: { token: string }, color: 'green' | 'red' | 'violet', amount: string) =>
  table.call(colour.placeBet, { amount, color }, user.token)

describe('a round', () => {
  it('pays winners by the odds table, from the escrow and the house, and nothing else changes', async () => {
    const players = { green: await aPlayer(table), red: await aPlayer(table), violet: await aPlayer(table) }
    const before = await table.house()
    const number = await table.open()
    await bet(players.green, 'green', '10.000001')
    await bet(players.green, 'green', '1')
    await bet(players.red, 'red', '20')
    await bet(players.violet, 'violet', '2.5')
    expect(await table.escrow()).toBe(33_500_001n)
    await table.closeBetting(number)
    const round = await table.draw(number)
    expect(round?.state).toBe('settled')
    const outcome = round?.outcome ?? 'green'
    const stakes = { green: 11_000_001n, red: 20_000_000n, violet: 2_500_000n }
    for (const name of colours)
      expect(await betBalance(players[name])).toBe(
        100_000_000n - stakes[name] + (name === outcome ? stakes[name] * colourTable[name].pays : 0n),
      )
    expect(await table.house()).toBe(before + 33_500_001n - stakes[outcome] * colourTable[outcome].pays)
    expect(await table.escrow()).toBe(0n)
  })

  it('can be recomputed from seed, number and block hash, and its seed hashes to the published anchor', async () => {
    const number = await table.open()
    await table.closeBetting(number)
    await table.draw(number)
    const { data, chain } = await table.call(colour.round, { number: String(number) })
    const seed = fromHex(data.seed ?? '')
    expect(data.draw).toBe(await drawOf(hmac, seed, data.number, data.block_hash ?? ''))
    expect(await leadsTo(sha256, seed, fromHex(chain.anchor), data.number - chain.first_round + 1)).toBe(true)
  })

  it('reveals nothing about the draw while it is open, and the next round is not found', async () => {
    const number = await table.open()
    const { data } = await table.call(colour.round, { number: String(number) })
    expect(data).toMatchObject({ state: 'open', seed: null, draw: null, color: null, block_hash: null })
    expect((await table.send('GET', `/colour/rounds/${number + 1n}/`)).status).toBe(404)
    await table.closeBetting(number, 61)
    await transaction(table.context.db, (tx) => finishRound(tx, number))
  })

  it('refunds every stake when there is no result within 60 seconds of closing', async () => {
    const [one, two] = [await aPlayer(table), await aPlayer(table)]
    const before = await table.house()
    const number = await table.open()
    await bet(one, 'green', '3')
    await bet(one, 'violet', '2')
    await bet(two, 'red', '5')
    await table.closeBetting(number, 59)
    await transaction(table.context.db, (tx) => finishRound(tx, number))
    expect(await betBalance(one)).toBe(parseUsdt('95'))
    await table.closeBetting(number, 61)
    const round = await transaction(table.context.db, (tx) => finishRound(tx, number))
    expect(round).toMatchObject({ state: 'refunded', draw: null, outcome: null })
    expect([await betBalance(one), await betBalance(two)]).toEqual([parseUsdt('100'), parseUsdt('100')])
    expect(await table.house()).toBe(before)
    expect((await table.call(colour.betHistory, {}, two.token)).history[0]).toMatchObject({ state: 'refunded' })
  })

  it('is also refunded when its block was bound but it was not drawn in time', async () => {
    const player = await aPlayer(table)
    const number = await table.open()
    await bet(player, 'green', '3')
    await table.closeBetting(number)
    const block = { number: 1n, hash: `0x${'1'.repeat(64)}`, at: new Date(Date.now() + 1_000) }
    await transaction(table.context.db, (tx) => bindBlock(tx, number, block))
    await table.closeBetting(number, 61)
    expect((await transaction(table.context.db, (tx) => finishRound(tx, number)))?.state).toBe('refunded')
    expect(await betBalance(player)).toBe(parseUsdt('100'))
  })

  it('is drawn and settled once, however many processes try at the same time', async () => {
    const player = await aPlayer(table)
    const number = await table.open()
    for (const color of colours) await bet(player, color, '1')
    await table.closeBetting(number)
    const block = { number: 1n, hash: `0x${'2'.repeat(64)}`, at: new Date(Date.now() + 1_000) }
    await transaction(table.context.db, (tx) => bindBlock(tx, number, block))
    const draws = Array.from({ length: 8 }, () => transaction(table.context.db, (tx) => revealRound(tx, number)))
    expect((await Promise.all(draws)).filter((round) => round !== undefined)).toHaveLength(1)
    const tries = Array.from({ length: 8 }, () => transaction(table.context.db, (tx) => finishRound(tx, number)))
    const finished = (await Promise.all(tries)).filter((round) => round !== undefined)
    expect(finished).toHaveLength(1)
    const pays = colourTable[finished[0]?.outcome ?? 'green'].pays
    expect(await betBalance(player)).toBe(97_000_000n + 1_000_000n * pays)
  })

  it('opens once a minute, with the next number', async () => {
    const before = await table.context.db
      .selectFrom('colour_rounds')
      .select((row) => row.fn.max('number').as('number'))
      .executeTakeFirstOrThrow()
    await table.owner.query(`begin; set local session_replication_role = replica;
      update colour_rounds set opens_at = opens_at - interval '1 day' - number * interval '1 second',
        closes_at = closes_at - interval '1 day' - number * interval '1 second'; commit`)
    const opened = await Promise.all(Array.from({ length: 4 }, () => transaction(table.context.db, openRound)))
    const rounds = opened.filter((round) => round !== undefined)
    const { rows } = await sql<{ second: number }>`select extract(second from now())::int as second`.execute(
      table.context.db,
    )
    // No round is opened in the last seconds of its betting time.
    if ((rows[0]?.second ?? 0) < 34) expect(rounds.map(({ number }) => number)).toEqual([(before.number ?? 0n) + 1n])
    else expect(rounds.length).toBeLessThanOrEqual(1)
    for (const { number, opens_at, closes_at } of rounds) {
      expect(opens_at.getTime() % 60_000).toBe(0)
      expect(closes_at.getTime() - opens_at.getTime()).toBe(45_000)
      // Otherwise it stays open, and bets of later tests could be placed on it.
      await table.closeBetting(number, 61)
      await table.draw(number)
    }
  })
})

describe('the database', () => {
  const app = () => table.context.db

  it('reveals no seed to the application before a block is bound to the round', async () => {
    const number = await table.open()
    await expect(sql`select * from colour_seeds`.execute(app())).rejects.toThrow('permission denied')
    await expect(sql`select colour_reveal(${number})`.execute(app())).rejects.toThrow('cannot be revealed')
    await table.closeBetting(number)
    await expect(sql`select colour_reveal(${number})`.execute(app())).rejects.toThrow('cannot be revealed')
    const grinding = transaction(app(), async (tx) => {
      await bindBlock(tx, number, { number: 1n, hash: `0x${'3'.repeat(64)}`, at: new Date(Date.now() + 1_000) })
      await sql`select colour_reveal(${number})`.execute(tx)
    })
    await expect(grinding).rejects.toThrow('cannot be revealed')
    expect((await table.draw(number))?.state).toBe('settled')
  })

  it('refuses to change the block, result or times of a round, or a bet', async () => {
    const number = await table.open()
    const player = await aPlayer(table)
    await bet(player, 'red', '1')
    await table.closeBetting(number)
    await table.draw(number)
    const change = (what: string) => sql.raw(`update colour_rounds set ${what} where number = ${number}`).execute(app())
    await expect(change(`draw = 1`)).rejects.toThrow('permission denied')
    await expect(change(`block_hash = '0x${'4'.repeat(64)}'`)).rejects.toThrow('only move forward')
    await expect(change('closes_at = now()')).rejects.toThrow('permission denied')
    await expect(sql`update colour_bets set stake = 1`.execute(app())).rejects.toThrow('permission denied')
    await expect(table.owner.query('update colour_bets set stake = 1')).rejects.toThrow('append-only')
  })

  it('is opened with the terms of the protocol, which cannot be changed afterwards', async () => {
    const number = await table.open()
    const round = await app().selectFrom('colour_rounds').selectAll().where('number', '=', number).executeTakeFirst()
    expect(round).toMatchObject({
      pays_green: colourTable.green.pays,
      pays_red: colourTable.red.pays,
      pays_violet: colourTable.violet.pays,
      result_seconds: defaultTerms.colourResultSeconds,
    })
    const change = `update colour_rounds set pays_violet = 100 where number = ${number}`
    await expect(sql.raw(change).execute(app())).rejects.toThrow('permission denied')
    await expect(table.owner.query(change)).rejects.toThrow('only move forward')
    await table.closeBetting(number)
    await table.draw(number)
  })

  it('keeps the terms it was opened with, whatever the terms are later', async () => {
    const own = await createTestTable()
    const player = await aPlayer(own)
    const openWith = async (what: string) => {
      const number = await own.open()
      await own.owner.query(`begin; set local session_replication_role = replica;
        update colour_rounds set ${what} where number = ${number}; commit`)
      return number
    }
    const generous = await openWith('pays_green = 3, pays_red = 4, pays_violet = 5')
    for (const color of colours) await own.call(colour.placeBet, { amount: '1', color }, player.token)
    await own.closeBetting(generous)
    const { outcome } = (await own.draw(generous)) ?? {}
    const paid = { green: 3_000_000n, red: 4_000_000n, violet: 5_000_000n }[outcome ?? 'green']
    expect(await getBalance(own.context.db, userAccount(player.number, 'bet'))).toBe(97_000_000n + paid)
    const { history } = await own.call(colour.betHistory, {}, player.token)
    expect(history.filter(({ state }) => state === 'won')).toMatchObject([{ color: outcome, payout: paid }])
    const hasty = await openWith('result_seconds = 5')
    await own.closeBetting(hasty, 6)
    expect(await own.draw(hasty)).toMatchObject({ state: 'refunded' })
    await own.close()
  })

  it('creates the next seed chain only when the current one is about to end, and continues its round numbers', async () => {
    const small = await createTestTable({ chainLength: 3 })
    const firstRounds = async () => {
      await sql`select colour_create_chain(4)`.execute(small.context.db)
      const chains = await small.context.db.selectFrom('colour_chains').selectAll().orderBy('first_round').execute()
      return chains.map(({ first_round }) => first_round)
    }
    const play = async () => {
      const number = await small.open()
      await small.closeBetting(number)
      return await small.draw(number)
    }
    await play()
    await play()
    expect(await firstRounds()).toEqual([1n])
    await play()
    expect(await firstRounds()).toEqual([1n, 4n])
    expect(await play()).toMatchObject({ number: 4n, state: 'settled' })
    await small.close()
  })
})

it('publishes a finished round with everything a page needs to verify it', async () => {
  const heard: unknown[] = []
  const stop = table.context.events.subscribe((event) => heard.push(event))
  const player = await aPlayer(table)
  const number = await table.open()
  for (const color of colours) await bet(player, color, '1')
  await table.closeBetting(number)
  await table.draw(number)
  const settled = { number: Number(number), state: 'settled', seed: expect.any(String) }
  await expect.poll(() => heard).toContainEqual({ topic: 'round', data: expect.objectContaining(settled) })
  await expect.poll(() => heard).toContainEqual({ topic: 'balance', user: player.number })
  stop()
})

it('reports whether draws follow chance', async () => {
  const { data } = await table.call(colour.fairness, {})
  expect(data.rounds).toBeGreaterThan(3)
  expect(data.colors.reduce((sum, { count }) => sum + count, 0)).toBe(data.rounds)
  expect(data.chains).toHaveLength(1)
  expect(data.staked).toBeGreaterThan(micro(0n))
  expect(Math.abs(data.paid_deviation)).toBeLessThan(6)
})
