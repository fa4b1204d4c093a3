import { join } from 'node:path'
import pg from 'pg'
import { backUp } from '../../src/server/embedded/backup.ts'
import { startPostgres } from '../../src/server/embedded/postgres.ts'
import { restore } from '../../src/server/embedded/restore.ts'
import { surviveDisconnects } from '../../src/server/platform/db.ts'
import { untilTrue } from './until.ts'
import type { World } from './world.ts'

const backupsOf = ({ folder }: World) => join(folder, 'backups')

/** Makes a backup while faults continue. Retries if a fault breaks it. */
export const makeBackup = (world: World): Promise<void> =>
  untilTrue(async () => {
    await backUp(world.postgres.ownerUrl, backupsOf(world))
    return true
  })

/** Restores the backup to a new folder, replays all archived WAL, and passes the restored database to `look`. */
export async function withRestored<Result>(world: World, look: (owner: pg.Pool) => Promise<Result>): Promise<Result> {
  const { owner } = world
  const { rows } = await owner.query('select pg_walfile_name(pg_switch_wal()) as piece')
  await untilTrue(async () => {
    const { rows: archived } = await owner.query('select last_archived_wal >= $1 as is_there from pg_stat_archiver', [
      rows[0].piece,
    ])
    return archived[0].is_there
  })
  const dataDir = join(world.folder, 'restored')
  await restore({ from: backupsOf(world), dataDir })
  const postgres = await startPostgres({ dataDir })
  const restored = surviveDisconnects(new pg.Pool({ connectionString: postgres.ownerUrl, max: 2 }))
  try {
    return await look(restored)
  } finally {
    await restored.end()
    await postgres.stop()
  }
}
