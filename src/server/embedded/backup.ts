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
 * Backups of the embedded PostgreSQL, whose package has no pg_basebackup: a copy of the files of the running server,
 * made between pg_backup_start and pg_backup_stop, and the WAL archived from then on. A segment is archived when it is
 * full or a minute old.
 */
const BASE = /^base-[0-9TZ-]+$/
/** The server recreates their contents when it starts. */
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

/** Copies the running server into a new folder in `target`, then archives WAL. Returns the new folder. */
export async function backUp(ownerUrl: string, target: string): Promise<string> {
  const client = new pg.Client({ connectionString: ownerUrl })
  // A connection lost between two queries must not end this process: the next query fails with the reason.
  client.on('error', () => {})
  await client.connect()
  try {
    const cluster = (await client.query('show data_directory')).rows[0]?.data_directory as string
    if (!existsSync(join(dirname(cluster), 'secrets.json')))
      throw new StartError('This is not the embedded database. Back it up with the tools of its own server.')
    const home = prepareHome(dirname(cluster))
    const archive = prepareArchive(home, target)
    const base = join(resolve(target), `base-${new Date().toISOString().replace(/[:.]/g, '-')}`)
    // Under low load a WAL segment is archived after a minute, even if it is not full.
    await client.query("alter system set archive_timeout = '60s'")
    await client.query('select pg_reload_conf()')
    await client.query("set statement_timeout = '10min'")
    await client.query("select pg_backup_start('wellplay', fast => true)")
    copyFolder(cluster, join(`${base}.new`, 'cluster'))
    // Waits until the WAL that the copy needs is archived: without it the copy is useless.
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

/** Prepares the WAL archive: the server must be able to write to it, and no other user to read it. */
function prepareArchive(home: Home, target: string): string {
  const archive = join(resolve(target), 'archive')
  mkdirSync(archive, { recursive: true })
  chmodSync(resolve(target), 0o755)
  if (!isReachable(archive, home.user))
    throw new StartError(
      `The database runs as another user, who has no access to ${resolve(target)}. Choose another folder.`,
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

/** A table dropped during the copy has no file any more. The WAL contains the drop, too. */
function copyIfThere(source: string, copy: string): void {
  try {
    copyFileSync(source, copy)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

export type Restore = {
  /** A folder made by `backUp`, or its parent folder: then the newest backup in it. */
  from: string
  dataDir: string
  /** The point in time to restore to. Default: the end of the WAL. */
  to?: Date | undefined
}

/** Replaces the data in `dataDir` with a backup and replays the WAL. The old data is kept beside it. */
export async function restore({ from, dataDir, to }: Restore): Promise<{ aside: string | undefined }> {
  const base = findBase(resolve(from))
  const archive = readFileSync(join(base, 'archive'), 'utf8')
  const home = prepareHome(dataDir)
  const cluster = join(home.dataDir, 'cluster')
  await clearStaleLock(cluster)
  const aside = existsSync(cluster) ? `${cluster}.before-${new Date().toISOString().replace(/[:.]/g, '-')}` : undefined
  if (aside) renameSync(cluster, aside)
  copyFolder(join(base, 'cluster'), cluster)
  // The last WAL of the old server, which it had not archived yet.
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
