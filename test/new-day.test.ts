import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOwnerPool, createTestDatabase, type TestDatabase } from '../src/server/testing/database.ts'

/** What PostgreSQL has counted is always a little out of date, so on a new day it expects no rows of that day. */
const USERS = 5_000

let database: TestDatabase
let pool: ReturnType<typeof createOwnerPool>
beforeAll(async () => {
  database = await createTestDatabase()
  pool = createOwnerPool(database.ownerUrl)
  // The totals belong to no users here.
  await pool.query('set session_replication_role = replica')
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

test.each([
  { table: 'transfer_allowances', user: 'from_number', totals: 'amount' },
  { table: 'colour_daily_totals', user: 'user_number', totals: 'staked, lost' },
])("on a new day, a user's total in $table is found without reading the others", async ({ table, user, totals }) => {
  const fill = (firstAge: number, lastAge: number) =>
    pool.query(`insert into ${table} (day, ${user}, ${totals})
      select current_date - age, number, ${totals.replaceAll(/\w+/g, '1')}
      from generate_series(${firstAge}, ${lastAge}) age, generate_series(1, ${USERS}) number`)
  await fill(1, 3)
  await pool.query(`vacuum analyze ${table}`)
  await fill(0, 0)
  const { rows } = await pool.query(
    `explain (analyze, format json) select from ${table} where ${user} = 7 and day = current_date`,
  )
  const [{ Plan: plan }] = rows[0]['QUERY PLAN']
  expect(plan).toMatchObject({ 'Node Type': 'Index Only Scan', 'Actual Rows': 1 })
  expect(plan['Rows Removed by Filter']).toBeUndefined()
})
