import { createDb, createPool } from '../src/server/platform/db.ts'
import { createAppLogin } from '../src/server/testing/database.ts'
import { rateRows } from './colour-rates.ts'
import { fillTable, finishRound, openLongRound, requireCleanAudit } from './colour-round.ts'
import { wholeRoundRows } from './colour-whole-round.ts'
import { withBenchDatabase } from './database.ts'
import { report } from './report.ts'

/**
 * Measures bets in groups against the same bets one at a time under locks, then plays one real round with as many bets
 * as it takes. A tenth of the players have limits. `node bench/colour.ts [rounds] [seconds]`.
 */
const [ROUNDS = 5, SECONDS = 4] = process.argv.slice(2).map(Number)
const CONNECTIONS = 16

await withBenchDatabase(async ({ ownerUrl, owner, onEnd }) => {
  const db = createDb(createPool(await createAppLogin(ownerUrl), CONNECTIONS))
  onEnd(() => db.destroy())
  await fillTable(db, owner)
  const round = await openLongRound(owner)
  const rows = await rateRows(db, ROUNDS, SECONDS)
  await finishRound(db, owner, round)
  await owner.query('vacuum analyze')
  rows.push(...(await wholeRoundRows(db, owner)))
  await requireCleanAudit(db)
  report(rows)
})
