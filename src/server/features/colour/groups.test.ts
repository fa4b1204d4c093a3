import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Colour, colours } from '../../../protocol/colour-odds.ts'
import { AppError } from '../../../protocol/errors.ts'
import { micro, parseUsdt } from '../../../protocol/money.ts'
import { runAudit } from '../../ledger/audit.ts'
import { invariants } from '../../operators/invariants.ts'
import { transaction } from '../../platform/db.ts'
import { aPlayer, askFor, createTestTable, type TestTable } from '../../testing/colour.ts'
import { fillAccount } from '../../testing/ledger.ts'
import { placeLockedBet } from '../../testing/locked-bets.ts'
import { createRandom } from '../../testing/random.ts'
import { createBetting } from './bets.ts'
import type { NewBet } from './betting.ts'
import { exclude, setLimit } from './limits.ts'
import { finishRound } from './rounds.ts'

const GROUPS = 40
const GROUP_MAX = 30

let table: TestTable
beforeAll(async () => {
  table = await createTestTable({ house: '150' })
})
afterAll(() => table.close())

const random = createRandom(11)
const oneOf = <Value>(values: readonly Value[]): Value => values[random(values.length)] as Value

type Outcome = string
async function outcomeOf(placing: Promise<unknown>): Promise<Outcome> {
  try {
    await placing
    return 'placed'
  } catch (error) {
    if (error instanceof AppError) return `${error.code} ${error.field}: ${error.message}`
    throw error
  }
}

class Undo extends Error {}

/** Places the bets one after another with the simple version, and rolls everything back. */
async function placeOneByOne(bets: readonly NewBet[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const played = table.context.db.transaction().execute(async (tx) => {
    for (const bet of bets) {
      await sql`savepoint bet`.execute(tx)
      const outcome = await outcomeOf(placeLockedBet(tx, bet))
      if (outcome !== 'placed') await sql`rollback to bet`.execute(tx)
      outcomes.push(outcome)
    }
    throw new Undo()
  })
  await expect(played).rejects.toThrow(Undo)
  return outcomes
}

async function placeTogether(bets: readonly NewBet[]): Promise<Outcome[]> {
  const place = createBetting(table.context.db)
  return await Promise.all(bets.map((bet) => outcomeOf(place(askFor(bet)))))
}

const aBet = (players: readonly number[]): NewBet => ({
  userNumber: oneOf(players),
  colour: oneOf(colours),
  stake: micro(oneOf([99_999n, 100_000n, 500_000_001n, BigInt(100_000 + random(6_000_000))])),
})

async function finish(number: bigint): Promise<void> {
  await table.closeBetting(number)
  await table.draw(number)
}

/** What happens between two groups of bets. Returns the round that is open then, if any. */
async function goOn(players: readonly number[], round: bigint | undefined): Promise<bigint | undefined> {
  const { db } = table.context
  const event = random(8)
  if (event === 0) await transaction(db, (tx) => fillAccount(tx, oneOf(players), 'bet', parseUsdt('10')))
  if (event === 1) {
    const change = { kind: oneOf(['loss', 'stake'] as const), amount: micro(BigInt(random(20_000_000))) }
    // A looser limit is refused without a signature.
    await outcomeOf(transaction(db, (tx) => setLimit(tx, oneOf(players), change, false)))
  }
  if (event < 4) return round
  if (round === undefined) return await table.open()
  if (event === 4) await finish(round)
  else if (event === 5) {
    await table.closeBetting(round, 61)
    await table.draw(round)
  } else {
    await table.closeBetting(round)
    await table.drawOnly(round)
  }
  return event === 7 ? undefined : await table.open()
}

/** Pays the rounds that are drawn, so that the house can take bets again. */
async function payDrawn(): Promise<void> {
  const { db } = table.context
  const drawn = await db.selectFrom('colour_rounds').select('number').where('state', '=', 'drawn').execute()
  for (const { number } of drawn) await transaction(db, (tx) => finishRound(tx, number))
}

it('answers a group of bets exactly as if they were placed one after another', async () => {
  const { db } = table.context
  const players = (await Promise.all(Array.from({ length: 8 }, () => aPlayer(table, '12')))).map(({ number }) => number)
  const [first = 0, second = 0, third = 0] = players
  await transaction(db, async (tx) => {
    await setLimit(tx, first, { kind: 'loss', amount: parseUsdt('8') }, false)
    await setLimit(tx, second, { kind: 'stake', amount: parseUsdt('9') }, false)
    await exclude(tx, third, 1)
  })
  let round: bigint | undefined = await table.open()
  const seen = new Set<string>()
  for (let count = 0; count < GROUPS; count++) {
    const bets = Array.from({ length: 1 + random(GROUP_MAX) }, () => aBet(players))
    const expected = await placeOneByOne(bets)
    expect(await placeTogether(bets)).toEqual(expected)
    for (const outcome of expected) seen.add(outcome.split(' ')[0] ?? '')
    if (random(3) === 0) await payDrawn()
    round = await goOn(players, round)
  }
  expect([...seen].sort()).toEqual([
    'amount_above_limit',
    'amount_below_minimum',
    'insufficient_balance',
    'limit_reached',
    'placed',
    'round_closed',
    'round_full',
    'self_excluded',
  ])
  await payDrawn()
  if (round !== undefined) await finish(round)
  // To be refunded, a round gets an earlier closing time, which invariant 20 reports.
  const others = invariants.filter(({ number }) => number !== 20)
  expect((await runAudit(db, others)).invariants.flatMap(({ findings }) => findings)).toEqual([])
}, 240_000)

it('counts a key once in a group, and refuses it for another bet of the same group', async () => {
  const { db } = table.context
  const player = await aPlayer(table)
  const round = await table.open()
  const bet = (colour: Colour): NewBet => ({ userNumber: player.number, colour, stake: parseUsdt('1') })
  const place = createBetting(db)
  const [one, two, other, keyless] = await Promise.allSettled([
    place(askFor(bet('red'), 'key')),
    place(askFor(bet('red'), 'key')),
    place(askFor(bet('green'), 'key')),
    place(askFor(bet('red'))),
  ])
  expect(one?.status).toBe('fulfilled')
  expect(two).toEqual(one)
  expect(other).toMatchObject({ status: 'rejected', reason: { code: 'idempotency_mismatch' } })
  expect(keyless?.status).toBe('fulfilled')
  const rows = await db.selectFrom('colour_bets').select('id').where('round', '=', round).execute()
  expect(rows).toHaveLength(2)
  await finish(round)
  expect(await place(askFor(bet('red'), 'key'))).toEqual(one?.status === 'fulfilled' && one.value)
})

it('refuses a bet that passed every check but entered its round after closing', async () => {
  const { db } = table.context
  const player = await aPlayer(table)
  const round = await table.open()
  // Closes the round, but commits only when the bet, which still found it open, waits for the row.
  await table.owner.query(`begin; set local session_replication_role = replica;
    update colour_rounds set closes_at = clock_timestamp() where number = ${round}`)
  const placing = outcomeOf(table.bet({ userNumber: player.number, colour: 'red', stake: parseUsdt('1') }))
  await expect.poll(countWaiting, { timeout: 30_000 }).toBeGreaterThan(0)
  await table.owner.query('commit')
  expect(await placing).toMatch(/^round_closed/)
  expect(await db.selectFrom('colour_bets').select('id').where('round', '=', round).execute()).toEqual([])
})

/** Not in the owner's transaction: there pg_stat_activity keeps showing the result of the first query. */
async function countWaiting(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pg_locks l join pg_stat_activity a using (pid)
    where not l.granted and a.datname = current_database()`.execute(table.context.db)
  return rows[0]?.n ?? 0
}
