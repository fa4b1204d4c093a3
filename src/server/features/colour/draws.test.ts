import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { colour } from '../../../protocol/colour.ts'
import { drawOf } from '../../../protocol/colour-draw.ts'
import { colourOf, colours, colourTable } from '../../../protocol/colour-odds.ts'
import { defaultTerms } from '../../../protocol/terms-defaults.ts'
import { createDb, createPool, type Db, transaction } from '../../platform/db.ts'
import { aPlayer, createTestTable, type TestTable } from '../../testing/colour.ts'
import { bindBlock, ensureChain, openRound, revealRound } from './draws.ts'
import { hmac } from './hashes.ts'
import { getRound } from './queries.ts'
import { finishRound } from './rounds.ts'
import { drawDue, finishDue } from './runner.ts'

let table: TestTable
beforeAll(async () => {
  table = await createTestTable()
})
afterAll(() => table.close())

const betOnRed = (user: { token: string }) => table.call(colour.placeBet, { amount: '1', color: 'red' }, user.token)

it('the database opens rounds with the terms, and draws like the protocol', async () => {
  const { rows: lengths } = await sql<{ round: number; betting: number; result: number }>`
    select extract(epoch from colour_round_length(now()))::int as round,
      extract(epoch from colour_betting_length(now()))::int as betting, colour_result_seconds(now()) as result`.execute(
    table.context.db,
  )
  const { colourRoundSeconds, colourBettingSeconds, colourResultSeconds } = defaultTerms
  expect(lengths).toEqual([{ round: colourRoundSeconds, betting: colourBettingSeconds, result: colourResultSeconds }])
  for (const name of colours) {
    const { rows: pays } = await sql<{ pays: bigint }>`select colour_pays(${name}) as pays`.execute(table.context.db)
    expect(pays).toEqual([{ pays: colourTable[name].pays }])
  }
  const { rows } = await sql<{ seed: Buffer; number: bigint; hash: string; draw: number; colour: string }>`
    select seed, number, hash, colour_draw(seed, number, hash) as draw, colour_of(colour_draw(seed, number, hash)) as colour
    from (select sha256(n::text::bytea) as seed, n::bigint as number,
      '0x' || encode(sha256(n::text::bytea), 'hex') as hash from generate_series(1, 500) as n) made`.execute(
    table.context.db,
  )
  for (const { seed, number, hash, draw, colour: name } of rows) {
    expect(draw).toBe(await drawOf(hmac, seed, Number(number), hash))
    expect(name).toBe(colourOf(draw))
  }
  expect(new Set(rows.map(({ colour: name }) => name))).toEqual(new Set(colours))
})

it('a round is opened and drawn with the login of the seeds process, and paid with that of the worker', async () => {
  const [seeds, worker] = [table.database.urls.seeds, table.database.urls.worker].map((url) =>
    createDb(createPool(url, 2)),
  ) as [Db, Db]
  await transaction(seeds, (tx) => ensureChain(tx))
  const opened = await transaction(seeds, openRound)
  if (opened) await table.closeBetting(opened.number, 61)
  const number = await table.open()
  await betOnRed(await aPlayer(table))
  await table.closeBetting(number)
  const block = { number: 1n, hash: `0x${'6'.repeat(64)}`, at: new Date(Date.now() + 1_000) }
  await transaction(seeds, (tx) => bindBlock(tx, number, block))
  expect((await transaction(seeds, (tx) => revealRound(tx, number)))?.state).toBe('drawn')
  await finishDue({ db: worker })
  await drawDue({ ...table.context, db: seeds })
  expect(await getRound(worker, Number(number))).toMatchObject({ state: 'settled', seed: expect.any(Buffer) })
  if (opened)
    expect(await getRound(worker, Number(opened.number))).toMatchObject({ state: 'refunded', seed: expect.any(Buffer) })
  await Promise.all([seeds.destroy(), worker.destroy()])
})

it('a drawn round is shown as finished before the worker has paid it', async () => {
  const player = await aPlayer(table)
  const number = await table.open()
  await betOnRed(player)
  await table.closeBetting(number)
  const block = { number: 1n, hash: `0x${'5'.repeat(64)}`, at: new Date(Date.now() + 1_000) }
  await transaction(table.context.db, (tx) => bindBlock(tx, number, block))
  const drawn = await transaction(table.context.db, (tx) => revealRound(tx, number))
  expect(drawn?.state).toBe('drawn')
  const { data } = await table.call(colour.round, { number: String(number) })
  expect(data).toMatchObject({ state: 'settled', draw: drawn?.draw, color: drawn?.outcome })
  expect(await table.escrow()).toBe(1_000_000n)
  await transaction(table.context.db, (tx) => finishRound(tx, number))
  expect(await table.escrow()).toBe(0n)
})
