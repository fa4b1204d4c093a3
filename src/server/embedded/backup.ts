import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import pg from 'pg'
import { StartError } from '../platform/start-error.ts'
import { archiveTo, clearStaleLock, startPostgres } from './postgres.ts'
import { give, type Home, isReachable, prepareHome } from './postgres-home.ts'

/**
 * Backups of the embedded PostgreSQL, whose package has no pg_basebackup: the server's own protocol for a copy of its
 * files while it runs, and its log from then on, each piece of it copied when it is full or a minute old.
 */
const BASE = /^base-[0-9TZ-]+$/
/** Made anew by a server that starts. */
const EMPTY = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
const LEFT_OUT = new Set(['postmaster.pid', 'postmaster.opts', 'pg_internal.init'])

/** Copies the running server into a new folder below `target` and lets its log follow. Returns the new folder. */
export async function backUp(ownerUrl: string, target: string): Promise<string> {
  const client = new pg.Client({ connectionString: ownerUrl })
  // A connection that is cut between two queries must not end this process: the next query fails and says so.
  client.on('error', () => {})
  await client.connect()
  try {
    const cluster = (await client.query('show data_directory')).rows[0]?.data_directory as string
    if (!existsSync(join(dirname(cluster), 'secrets.json')))
      throw new StartError('This database is not our embedded one: back it up with the means of its own server.')
    const home = prepareHome(dirname(cluster))
    const archive = prepareArchive(home, target)
    const base = join(resolve(target), `base-${new Date().toISOString().replace(/[:.]/g, '-')}`)
    // A quiet hour's log is not to wait until its piece is full.
    await client.query("alter system set archive_timeout = '60s'")
    await client.query('select pg_reload_conf()')
    await client.query("set statement_timeout = '10min'")
    await client.query("select pg_backup_start('wellplay', fast => true)")
    copyFolder(cluster, join(`${base}.new`, 'cluster'))
    // Waits until the log that the copy needs has arrived: without it the copy is worth nothing.
    const { labelfile } = (await client.query('select * from pg_backup_stop()')).rows[0]
    writeFileSync(join(`${base}.new`, 'cluster', 'backup_label'), labelfile)
    copyFileSync(join(home.dataDir, 'secrets.json'), join(`${base}.new`, 'secrets.json'))
    writeFileSync(join(`${base}.new`, 'archive'), archive)
    renameSync(`${base}.new`, base)
    return base
  } finally {
    await client.end()
  }
}

/** The folder for the server's log, which the server itself must be able to write, and nobody else to read. */
function prepareArchive(home: Home, target: string): string {
  const archive = join(resolve(target), 'archive')
  mkdirSync(archive, { recursive: true })
  chmodSync(resolve(target), 0o755)
  if (!isReachable(archive, home.user))
    throw new StartError(
      `The database runs as another user, who cannot enter ${resolve(target)}: choose another folder.`,
    )
  give(home, archive)
  chmodSync(archive, 0o700)
  archiveTo(home, archive)
  return archive
}

function copyFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, copy] = [join(from, entry.name), join(to, entry.name)]
    if (LEFT_OUT.has(entry.name)) continue
    if (entry.isDirectory() && EMPTY.has(entry.name)) mkdirSync(copy, { mode: 0o700 })
    else if (entry.isDirectory()) copyFolder(source, copy)
    else copyIfThere(source, copy)
  }
}

/** A table that was dropped meanwhile is gone: the log says so too. */
function copyIfThere(source: string, copy: string): void {
  try {
    copyFileSync(source, copy)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

export type Restore = {
  /** A folder that `backUp` has made, or the one above: then its newest. */
  from: string
  dataDir: string
  /** To this instant; without one, to the last moment there is. */
  to?: Date | undefined
}

/** Puts a backup in the place of the data in `dataDir`, which stays beside it, and plays the log. */
export async function restore({ from, dataDir, to }: Restore): Promise<{ aside: string | undefined }> {
  const base = findBase(resolve(from))
  const archive = readFileSync(join(base, 'archive'), 'utf8')
  const home = prepareHome(dataDir)
  const cluster = join(home.dataDir, 'cluster')
  await clearStaleLock(cluster)
  const aside = existsSync(cluster) ? `${cluster}.before-${new Date().toISOString().replace(/[:.]/g, '-')}` : undefined
  if (aside) renameSync(cluster, aside)
  copyFolder(join(base, 'cluster'), cluster)
  // What the lost server had written last and not handed over yet.
  if (aside && !to) copyFolder(join(aside, 'pg_wal'), join(cluster, 'pg_wal'))
  writeFileSync(join(cluster, 'recovery.signal'), '')
  copyFileSync(join(base, 'secrets.json'), join(home.dataDir, 'secrets.json'))
  giveAll(home, cluster)
  const settings = {
    hot_standby: 'off',
    archive_mode: 'off',
    restore_command: `test -f '${archive}/%f.gz' && gzip -dc '${archive}/%f.gz' > '%p'`,
    ...(to && { recovery_target_time: to.toISOString().replace('Z', '+00'), recovery_target_action: 'promote' }),
  }
  const postgres = await startPostgres({ dataDir, settings })
  await postgres.stop()
  return { aside }
}

function findBase(from: string): string {
  if (existsSync(join(from, 'archive')) && existsSync(join(from, 'cluster'))) return from
  const newest = existsSync(from)
    ? readdirSync(from)
        .filter((name) => BASE.test(name))
        .toSorted()
        .at(-1)
    : undefined
  if (!newest) throw new StartError(`There is no backup in ${from}.`)
  return join(from, newest)
}

function giveAll(home: Home, folder: string): void {
  give(home, folder)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    give(home, join(entry.parentPath, entry.name))
}
