import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseUsdt } from '../../protocol/money.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { createDb, createPool, type Db, transaction } from './db.ts'
import { addNews, type NewNews } from './news.ts'

let database: TestDatabase
let db: Db
beforeAll(async () => {
  database = await createTestDatabase()
  db = createDb(createPool(database.appUrl, 4))
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const matured = (user: number, key: string): NewNews => ({
  kind: 'plan_matured',
  user,
  key,
  facts: { amount: parseUsdt('10') },
})
const keysOf = async (user: number) =>
  (await db.selectFrom('news').select('key').where('user_number', '=', user).orderBy('id').execute()).map(
    ({ key }) => key,
  )

test('a repeated event is news once, and each of several users gets own news', async () => {
  const once = () => transaction(db, (tx) => addNews(tx, matured(1, 'a'), matured(1, 'b'), matured(2, 'a')))
  await Promise.all([once(), once()])
  await once()
  expect([(await keysOf(1)).toSorted(), await keysOf(2)]).toEqual([['a', 'b'], ['a']])
})

test('news of a transaction that is rolled back do not exist', async () => {
  const failed = transaction(db, async (tx) => {
    await addNews(tx, matured(3, 'a'))
    await sql`select 1 / 0`.execute(tx)
  })
  await expect(failed).rejects.toThrow('division by zero')
  expect(await keysOf(3)).toEqual([])
})

test('processes may write news but not change or delete what was written', async () => {
  await transaction(db, (tx) => addNews(tx, matured(4, 'a')))
  await expect(sql`update news set facts = '{}'`.execute(db)).rejects.toThrow('permission denied')
  await expect(sql`delete from news`.execute(db)).rejects.toThrow('permission denied')
})
