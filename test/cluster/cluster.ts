import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../src/server/platform/config.ts'
import { migrate } from '../../src/server/platform/migrate.ts'
import { fundDevelopment } from '../../src/server/processes/development.ts'
import { startDatabase } from './database.ts'
import { createNetwork } from './network.ts'
import { startProduct } from './product.ts'

export type Cluster = Awaited<ReturnType<typeof startCluster>>
type Options = {
  folder: string
  /** Of HAProxy. */
  port: number
  /** Settings of the chain, the same for all processes. */
  settings: Record<string, string>
  log: (line: string) => void
}

/** A new folder for everything that belongs to one cluster. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'wellplay-cluster-'))
  // PostgreSQL does not run as root and needs access to the folder.
  chmodSync(folder, 0o755)
  return folder
}

/** The whole product on a database of three machines. */
export async function startCluster({ folder, port, settings, log }: Options) {
  const network = createNetwork()
  const stops: (() => Promise<void>)[] = [() => network.stop()]
  const stop = async ({ keepLogs = false } = {}): Promise<void> => {
    for (const each of stops.toReversed()) await each()
    if (!keepLogs) rmSync(folder, { recursive: true, force: true })
  }
  try {
    const database = await startDatabase(folder, network)
    stops.push(() => database.stop())
    log('Three database machines')
    const ownerUrl = await database.urlFor('driver', 'owner')
    await migrate(ownerUrl)
    const product = await startProduct({ folder, network, database, settings, port })
    stops.push(() => product.stop())
    const DATABASE_URL = await database.urlFor('driver', 'operator')
    await fundDevelopment(readConfig({ ...settings, DATABASE_URL }), join(folder, 'operators'))
    log('Two API and two worker processes')
    return { folder, network, database, product, ownerUrl, stop }
  } catch (error) {
    log(`The logs are in ${folder}.`)
    await stop({ keepLogs: true })
    throw error
  }
}
