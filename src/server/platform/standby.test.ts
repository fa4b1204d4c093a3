import { sql } from 'kysely'
import type { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Replicas, startReplicas } from '../testing/replicas.ts'
import { createDb, createPool, type Db, transaction } from './db.ts'
import { type History, readPage } from './history.ts'
import { OutcomeUnknown } from './standby.ts'

let replicas: Replicas
let pool: Pool
let db: Db

beforeAll(async () => {
  replicas = await startReplicas()
  pool = createPool(replicas.primary.urls.api, 4)
  db = createDb(pool)
})
afterAll(async () => {
  await db.destroy()
  await replicas.stop()
})
beforeEach(() => replicas.freeze())
afterEach(() => replicas.thaw())

const read = () => transaction(db, (tx) => sql`select`.execute(tx))
const write = sql`insert into idempotency_keys (user_number, scope, key, digest, reply)
  values (1, 'test', gen_random_uuid(), repeat('0', 64), '{}')`
const shown: History<unknown, unknown> = {
  ...{ name: 'test', owner: 1, filters: [], changesFrom: null, at: 'id', order: ['id'] },
  rows: () => sql`select 1 as id`,
  rowOf: (row) => row,
}

test.each<[string, () => Promise<unknown>]>([
  ['a transaction that only reads', read],
  ['a page of a history', () => readPage(db, shown, {})],
])('%s ends when the standby has what it has read', async (_name, run) => {
  const done = run()
  expect(await replicas.orWaits(done)).toBe('waits')
  replicas.thaw()
  await done
})

test('a transaction can be read only', async () => {
  const done = db
    .transaction()
    .setAccessMode('read only')
    .execute((tx) => sql`select`.execute(tx))
  expect(await replicas.orWaits(done)).toBe('waits')
  replicas.thaw()
  await done
})

test.each<[string, () => Promise<unknown>]>([
  ['a transaction that only reads', read],
  ['a transaction that writes', () => transaction(db, (tx) => write.execute(tx))],
  ['a statement', () => write.execute(db)],
  ['a statement of the pool', () => pool.query(write.compile(db).sql)],
])('%s whose wait was cancelled fails, although PostgreSQL reports success', async (_name, run) => {
  const failure = run().catch((error: unknown) => error)
  expect(await replicas.orWaits(failure)).toBe('waits')
  for (const pid of await replicas.listWaiting()) await replicas.cancel(pid)
  expect(await failure).toBeInstanceOf(OutcomeUnknown)
})

test('a transaction that was terminated while it waited fails with the same error', async () => {
  const failure = transaction(db, (tx) => write.execute(tx)).catch((error: unknown) => error)
  expect(await replicas.orWaits(failure)).toBe('waits')
  for (const pid of await replicas.listWaiting()) await replicas.terminate(pid)
  expect(await failure).toBeInstanceOf(OutcomeUnknown)
})

test('a connection whose wait was cancelled works for the next query', async () => {
  const failure = read().catch((error: unknown) => error)
  expect(await replicas.orWaits(failure)).toBe('waits')
  for (const pid of await replicas.listWaiting()) await replicas.cancel(pid)
  await failure
  replicas.thaw()
  await read()
})
