import { join } from 'node:path'
import { freePort } from '../../src/server/embedded/postgres.ts'
import { startChain } from '../../src/server/processes/up.ts'
import { buildWeb } from '../../src/server/processes/web-build.ts'
import { newFolder, startCluster } from './cluster.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The product on a cluster and the development chain, until Ctrl-C. */
export async function runCluster(): Promise<void> {
  const ended = untilSignal()
  const port = Number(process.env['PORT'] ?? (await freePort()))
  const folder = newFolder()
  const embedded: { stop(timeoutMs: number): Promise<void> }[] = []
  const [settings] = await Promise.all([startChain({}, join(folder, 'chain'), embedded), buildWeb(ROOT)])
  const cluster = await startCluster({ folder, port, settings, log: (line) => console.log(`  ✓ ${line}`) })
  console.log(`
  Wellplay is running on a cluster: three database machines, two API and two worker processes.

  Open     http://localhost:${port}
  Folder   ${folder}, deleted when you stop
  Stop     Ctrl-C
`)
  await ended
  console.log('Stopping …')
  await Promise.all(embedded.map((part) => part.stop(STOP_MS_MAX)))
  await cluster.stop()
}

const STOP_MS_MAX = 5_000

/** The first signal stops everything in order, the second one at once. */
function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    let signals = 0
    const stop = () => (++signals === 1 ? resolve() : process.exit(130))
    process.on('SIGINT', stop)
    process.on('SIGTERM', stop)
  })
}
