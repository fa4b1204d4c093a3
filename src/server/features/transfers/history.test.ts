import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Day } from '../../../protocol/time.ts'
import { createDb, createPool, type Db } from '../../platform/db.ts'
import { countsOfDays } from '../../platform/history-days.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { transferHistory } from './history.ts'

let database: TestDatabase
let db: Db
beforeAll(async () => {
  database = await createTestDatabase()
  db = createDb(createPool(database.urls.api, 1))
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

type Node = { 'Relation Name'?: string; Plans?: Node[] }
const nodesOf = ({ Plans = [], ...node }: Node): Node[] => [node, ...Plans.flatMap(nodesOf)]

test('a month of a long list is counted without reading the other months', async () => {
  const month = { from: '2026-01-01' as Day, to: '2026-01-31' as Day }
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: Node }] }>`
    explain (format json) ${countsOfDays(transferHistory(1), month)}`.execute(db)
  const nodes = rows.flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan))
  const scans = nodes.filter((node) => node['Relation Name'] === 'transfers')
  expect(scans).toHaveLength(2)
  // The days select the rows where they are read, not after that.
  for (const scan of scans) expect(JSON.stringify(scan)).toContain('sent_at >=')
})
