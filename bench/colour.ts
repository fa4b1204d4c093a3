import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../src/server/embedded/postgres.ts'
import { createDb, createPool } from '../src/server/platform/db.ts'
import { migrate } from '../src/server/platform/migrate.ts'
import { createAppLogin } from '../src/server/testing/database.ts'
import { rateRows } from './colour-rates.ts'
import { fillTable, finishRound, openLongRound, requireCleanAudit } from './colour-round.ts'
import { wholeRoundRows } from './colour-whole-round.ts'
import { report } from './report.ts'

/**
 * Measures bets in groups against the same bets one at a time under locks, then plays one real round with as many bets
 * as it takes. A tenth of the players have limits. `node bench/colour.ts [rounds] [seconds]`.
 */
const [ROUNDS = 5, SECONDS = 4] = process.argv.slice(2).map(Number)
const CONNECTIONS = 16

const folder = mkdtempSync(join(tmpdir(), 'wellplay-bench-'))
const postgres = await startPostgres({ dataDir: folder })
const owner = new pg.Client({ connectionString: postgres.ownerUrl })
try {
  await migrate(postgres.ownerUrl)
  await owner.connect()
  const db = createDb(createPool(await createAppLogin(postgres.ownerUrl), CONNECTIONS))
  await fillTable(db, owner)
  const round = await openLongRound(owner)
  const rows = await rateRows(db, ROUNDS, SECONDS)
  await finishRound(db, owner, round)
  await owner.query('vacuum analyze')
  rows.push(...(await wholeRoundRows(db, owner)))
  await requireCleanAudit(db)
  report(rows)
  await db.destroy()
} finally {
  await owner.end()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
