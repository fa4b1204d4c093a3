import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../../src/server/embedded/postgres.ts'
import { migrate } from '../../src/server/platform/migrate.ts'
import { testSettings } from '../../src/server/testing/api.ts'
import { startHaproxy } from './balancer.ts'
import { runRestarts } from './suite.ts'

/** npm run rolling -- --restarts 20, behind HAProxy, which must be installed. */
const { values } = parseArgs({ options: { restarts: { type: 'string', default: '20' } } })
const restarts = Number(values.restarts)
if (!Number.isInteger(restarts) || restarts < 1) {
  console.error('Usage: npm run rolling -- --restarts <number>')
  process.exit(1)
}
const folder = mkdtempSync(join(tmpdir(), 'wellplay-test-'))
// PostgreSQL does not run as root and must be able to enter this folder.
chmodSync(folder, 0o755)
const postgres = await startPostgres({ dataDir: join(folder, 'postgres') })
await migrate(postgres.ownerUrl)
const settings = testSettings(postgres.urls.api)
const { line, failed } = await runRestarts({ restarts, settings, startBalancer: startHaproxy, log: console.log })
for (const text of failed.slice(0, 20)) console.log(`  ${text}`)
console.log(line)
await postgres.stop()
rmSync(folder, { recursive: true, force: true })
process.exit(failed.length === 0 ? 0 : 1)
