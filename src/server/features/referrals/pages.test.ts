import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDb, createPool, type Db, transaction } from '../../platform/db.ts'
import { createOwnerPool, createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { getPlace, listDirect, listDownline } from './queries.ts'
import { foldTeamDeltas, getTeamTotals } from './totals.ts'

let database: TestDatabase
let db: Db
let owner: ReturnType<typeof createOwnerPool>
beforeAll(async () => {
  database = await createTestDatabase()
  db = createDb(createPool(database.appUrl, 4))
  owner = createOwnerPool(database.ownerUrl, 2)
})
afterAll(async () => {
  await Promise.all([db.destroy(), owner.end()])
  await database.drop()
})

/** Adds users below the given sponsors, in the order of the list. Triggers give them their paths and their deltas. */
const addUsers = (sponsors: (number | null)[]) =>
  owner.query<{ number: number }>(
    `insert into users (id, username, wallet_address, referral_code, sponsor_number)
     select gen_random_uuid(), 'u_' || n, '0x' || lpad(to_hex(n), 40, '0'), lpad(upper(to_hex(n)), 8, '0'), sponsor
     from (select sponsor, (select coalesce(max(number), 0) from users) + place as n
           from unnest($1::int[]) with ordinality as u (sponsor, place) order by place) as u returning number`,
    [sponsors],
  )

type List = 'team' | 'direct'
const BLOCK = 3

async function page(list: List, above: number[], skip: number, size: number): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select key[cardinality(key)] as number
    from team_page(${list}, ${above}::int[], ${skip}, ${size}, ${BLOCK}) as key`.execute(db)
  return rows.map(({ number }) => number)
}

/** The whole list, as the offset query had it. */
async function whole(list: List, number: number, path: number[]): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select number from users
    where ${list === 'team' ? sql`path[1:${path.length}] = ${path}::int[] and number <> ${number}` : sql`sponsor_number = ${number}`}
    order by ${list === 'team' ? sql`path` : sql`number`}`.execute(db)
  return rows.map((row) => row.number)
}

async function comparePages(number: number, size: number): Promise<void> {
  const { path } = await getPlace(db, number)
  for (const list of ['team', 'direct'] as const) {
    const all = await whole(list, number, path)
    const above = list === 'team' ? path : [number]
    for (let skip = 0; skip <= all.length + size; skip += size)
      expect([list, number, skip, await page(list, above, skip, size)]).toEqual([
        list,
        number,
        skip,
        all.slice(skip, skip + size),
      ])
  }
}

const fold = (limit: number) =>
  transaction(db, async (tx) => {
    await sql`select team_fold(${limit})`.execute(tx)
    await sql`select team_split(${BLOCK})`.execute(tx)
  })

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant('join' as const), at: fc.array(fc.nat(), { maxLength: 8 }) }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('fold' as const), at: fc.constantFrom(1, 4, 1_000) }) },
)

test('each page of each member’s team and direct referrals is what an offset gives, folded or not', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 4, maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      async (steps, size) => {
        const numbers = (await addUsers([null, null])).rows.map(({ number }) => number)
        for (const { act, at } of steps) {
          if (act === 'fold') await fold(at as number)
          else
            for (const pick of at as number[]) {
              const { rows } = await addUsers([numbers[pick % numbers.length] as number])
              numbers.push(...rows.map(({ number }) => number))
            }
        }
        for (const number of numbers) await comparePages(number, size)
      },
    ),
    { numRuns: 12, seed: 11 },
  )
})

/** A thousand and more members in one hub and its teams, so that the product's own block size is exceeded. */
async function aHub(members: number): Promise<number> {
  const hub = (await addUsers([null])).rows[0]?.number as number
  const first = (await addUsers(Array.from({ length: members }, () => hub))).rows.map(({ number }) => number)
  await addUsers(first.slice(0, members / 2))
  return hub
}

test('lists longer than a block have every member once, before and after the fold, and the same rows', async () => {
  const hub = await aHub(2_400)
  const place = await getPlace(db, hub)
  const read = async (page_no: number) => ({
    direct: (await listDirect(db, hub, { page_no })).map(({ number }) => number),
    team: (await listDownline(db, place, { page_no })).map(({ number }) => number),
  })
  const { direct, members } = await getTeamTotals(db, hub)
  expect([direct, members]).toEqual([2_400, 3_600])
  const [all, everyone] = [await whole('direct', hub, place.path), await whole('team', hub, place.path)]
  for (let round = 0; round < 2; round++) {
    for (let page_no = 1; page_no <= 73; page_no++) {
      const slice = [(page_no - 1) * 50, page_no * 50] as const
      expect(await read(page_no)).toEqual({ direct: all.slice(...slice), team: everyone.slice(...slice) })
    }
    while (await transaction(db, foldTeamDeltas));
  }
  const { rows } = await sql<{ list: string; members: bigint; largest: number; blocks: bigint }>`
    select list, sum(members) as members, max(members) as largest, count(*) as blocks from team_blocks
    group by list order by list`.execute(db)
  const sponsored = await db.selectFrom('users').select('number').where('sponsor_number', 'is not', null).execute()
  expect(rows.map((row) => row.members)).toEqual([BigInt(sponsored.length), BigInt(sponsored.length)])
  expect(rows.every(({ largest, blocks }) => largest <= 2_000 && blocks > 1n)).toBe(true)
})

test('sign-ups while another process folds and splits: no member is missing or counted twice', async () => {
  const hub = (await addUsers([null])).rows[0]?.number as number
  const joins = async () => {
    for (let turn = 0; turn < 20; turn++) await addUsers([hub, hub])
  }
  const folds = async () => {
    for (let turn = 0; turn < 20; turn++) await fold(7)
  }
  // Usernames come from the highest number, so only one connection adds users.
  await Promise.all([joins(), folds()])
  await comparePages(hub, 4)
  await fold(100_000)
  const { rows } = await sql<{ members: bigint; users: bigint }>`
    select sum(members) as members, (select count(*) from users where sponsor_number is not null) as users
    from team_blocks where list = 'team'`.execute(db)
  expect(rows[0]?.members).toBe(rows[0]?.users)
  await comparePages(hub, 4)
})
