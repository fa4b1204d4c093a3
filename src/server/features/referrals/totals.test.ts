import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDb, createPool, type Db, transaction } from '../../platform/db.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { createUser } from '../users/users.ts'
import {
  foldTeamDeltas,
  getTeamTotals,
  listTeamLevels,
  recordVolume,
  type TeamLevel,
  type TeamTotals,
} from './totals.ts'

let database: TestDatabase
let db: Db

beforeAll(async () => {
  database = await createTestDatabase()
  db = createDb(createPool(database.appUrl, 8))
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

type Member = { number: number; referralCode: string; parent: Member | undefined; volume: bigint }

async function join(parent: Member | undefined): Promise<Member> {
  const { number } = await transaction(db, (tx) =>
    createUser(tx, {
      username: `m_${randomBytes(8).toString('hex')}`,
      walletAddress: `0x${randomBytes(20).toString('hex')}`,
      sponsorCode: parent?.referralCode,
    }),
  )
  const { referral_code } = await db
    .selectFrom('users')
    .select('referral_code')
    .where('number', '=', number)
    .executeTakeFirstOrThrow()
  return { number, referralCode: referral_code, parent, volume: 0n }
}

async function changeVolume(member: Member, volume: bigint): Promise<void> {
  const active = (volume > 0n ? 1 : 0) - (member.volume > 0n ? 1 : 0)
  const change = { volume: volume - member.volume, active: active as -1 | 0 | 1 }
  member.volume = volume
  await transaction(db, (tx) => recordVolume(tx, member.number, change))
}

/** How many levels below `of` a member is; 0 if the member is not below it. */
function depthBelow(of: Member, { parent }: Member): number {
  if (!parent) return 0
  if (parent === of) return 1
  const above = depthBelow(of, parent)
  return above && above + 1
}

const sumUp = (team: Member[]) => ({
  members: team.length,
  active: team.filter(({ volume }) => volume > 0n).length,
  volume: team.reduce((sum, { volume }) => sum + volume, 0n) as TeamTotals['volume'],
})

/** The same totals, counted from all members. */
function naiveTotals(of: Member, everybody: Member[]): TeamTotals {
  const team = everybody.filter((member) => depthBelow(of, member) > 0)
  return { direct: team.filter(({ parent }) => parent === of).length, ...sumUp(team) }
}

function naiveLevels(of: Member, everybody: Member[]): TeamLevel[] {
  const byDepth = Map.groupBy(everybody, (member) => depthBelow(of, member))
  return [...byDepth]
    .filter(([depth]) => depth > 0)
    .toSorted(([a], [b]) => a - b)
    .map(([depth, team]) => ({ depth, ...sumUp(team) }))
}

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ act: fc.constant('join' as const), at: fc.nat() }) },
  {
    weight: 4,
    arbitrary: fc.record({ act: fc.constant('buy' as const), at: fc.nat(), volume: fc.bigInt(0n, 10n ** 10n) }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('fold' as const), at: fc.nat() }) },
)

test('totals and per-level totals match a full count after any sign-ups, purchases, maturities and folds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const everybody = [await join(undefined)]
      for (const { act, at, ...rest } of steps) {
        const member = everybody[at % everybody.length] as Member
        if (act === 'join') everybody.push(await join(member))
        else if (act === 'buy') await changeVolume(member, (rest as { volume: bigint }).volume)
        else await transaction(db, foldTeamDeltas)
      }
      for (const member of everybody) {
        expect(await getTeamTotals(db, member.number)).toEqual(naiveTotals(member, everybody))
        expect(await listTeamLevels(db, member.number)).toEqual(naiveLevels(member, everybody))
      }
    }),
    { numRuns: 15, seed: 7 },
  )
})

test('sixteen concurrent purchases while two processes fold: nothing is lost or counted twice', async () => {
  const top = await join(undefined)
  const members = await Promise.all(Array.from({ length: 8 }, () => join(top)))
  const fold = async () => {
    for (let turn = 0; turn < 10; turn++) await transaction(db, foldTeamDeltas)
  }
  await Promise.all([
    fold(),
    fold(),
    ...members.flatMap((member) => [changeVolume(member, 5n), changeVolume(member, 7n)]),
  ])
  while (await transaction(db, foldTeamDeltas));
  const totals = await getTeamTotals(db, top.number)
  expect(totals).toMatchObject({ direct: 8, members: 8, volume: members.reduce((sum, { volume }) => sum + volume, 0n) })
  const { rows } = await sql<{ left: bigint }>`select count(*) as left from team_deltas`.execute(db)
  expect(rows[0]?.left).toBe(0n)
})

test('even the application cannot move a user to another sponsor', async () => {
  const [a, b] = [await join(undefined), await join(undefined)]
  const move = sql`update users set sponsor_number = ${a.number} where number = ${b.number}`.execute(db)
  await expect(move).rejects.toThrow(/permission denied/)
})
