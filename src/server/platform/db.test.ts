import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { createDb, createPool } from './db.ts'

test('a connection lost between two queries of a transaction fails that transaction, not the process', async () => {
  const { ownerUrl } = inject('postgres')
  const [db, other] = [createDb(createPool(ownerUrl, 1)), createPool(ownerUrl, 1)]
  const failures: unknown[] = []
  const onFailure = (error: unknown) => failures.push(error)
  process.on('uncaughtException', onFailure)
  const cut = db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await other.query('select pg_terminate_backend($1, 10000)', [rows[0]?.pid])
    // The disconnect arrives while no query is running.
    await new Promise((resolve) => setTimeout(resolve, 100))
    await sql`select 1`.execute(tx)
  })
  await expect(cut).rejects.toThrow()
  expect(failures).toEqual([])
  await expect(sql`select 1`.execute(db)).resolves.toBeDefined()
  process.off('uncaughtException', onFailure)
  await other.end()
  await db.destroy()
})
