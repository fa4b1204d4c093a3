import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startPostgres } from '../src/server/embedded/postgres.ts'
import { migrate } from '../src/server/platform/migrate.ts'
import { createAppLogin } from '../src/server/testing/database.ts'
import { startApi } from './api-process.ts'
import { moneyRows } from './events-money.ts'
import { streamRows } from './events-streams.ts'
import { report } from './report.ts'

/**
 * Measures what events cost a transaction that moves money, and how many open pages one process can serve.
 * `npm run bench:events -- --streams 20000 --rounds 5`. The open-files limit must be higher than the number of streams.
 */
const { values } = parseArgs({
  options: { streams: { type: 'string', default: '20000' }, rounds: { type: 'string', default: '5' } },
})
const [streams, rounds] = [Number(values.streams), Number(values.rounds)]

const dataDir = mkdtempSync(join(tmpdir(), 'wellplay-bench-'))
const postgres = await startPostgres({ dataDir })
const owner = new pg.Client({ connectionString: postgres.ownerUrl })
const stops: (() => unknown)[] = []
try {
  await migrate(postgres.ownerUrl)
  await owner.connect()
  const api = await startApi('group', postgres.urls.api)
  stops.push(() => api.child.kill('SIGKILL'))
  const rows = await moneyRows(owner, await createAppLogin(postgres.ownerUrl), rounds)
  rows.push(...(await streamRows(owner, api, { streams, rounds })))
  report(rows)
} finally {
  for (const stop of stops.reverse()) await stop()
  await owner.end()
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
