import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import pg from 'pg'
import { StartError } from '../platform/start-error.ts'
import { copyFolder } from './copy.ts'
import { ENCRYPTED, encryptFile, requireRecipient } from './encryption.ts'
import { archiveTo } from './postgres.ts'
import { give, type Home, isReachable, prepareHome } from './postgres-home.ts'
import { closeSpool, emptySpool, openSpool } from './wal-spool.ts'

/**
 * Backups of the embedded PostgreSQL, whose package has no pg_basebackup: a copy of the files of the running server,
 * made between pg_backup_start and pg_backup_stop, and the WAL archived from then on. A segment is archived when it is
 * full or a minute old. With a recipient, everything is encrypted. A backup contains no passwords.
 */
export async function backUp(ownerUrl: string, target: string, recipient?: string): Promise<string> {
  if (recipient !== undefined) requireRecipient(recipient)
  const client = new pg.Client({ connectionString: ownerUrl })
  // A connection lost between two queries must not end this process: the next query fails with the reason.
  client.on('error', () => {})
  await client.connect()
  try {
    const cluster = (await client.query('show data_directory')).rows[0]?.data_directory as string
    if (!existsSync(join(dirname(cluster), 'secrets.json')))
      throw new StartError('This is not the embedded database. Back it up with the tools of its own server.')
    const home = prepareHome(dirname(cluster))
    const archive = prepareArchive(home, target, recipient)
    const base = join(resolve(target), `base-${new Date().toISOString().replace(/[:.]/g, '-')}`)
    // Under low load a WAL segment is archived after a minute, even if it is not full.
    await client.query("alter system set archive_timeout = '60s'")
    await client.query('select pg_reload_conf()')
    await client.query("set statement_timeout = '10min'")
    await client.query("select pg_backup_start('wellplay', fast => true)")
    const copy = copier(recipient)
    await copyFolder(cluster, join(`${base}.new`, 'cluster'), copy)
    // Waits until the WAL that the copy needs is archived: without it the copy is useless.
    const { labelfile } = (await client.query('select * from pg_backup_stop()')).rows[0]
    await emptySpool(home)
    const label = join(home.dataDir, 'backup_label')
    writeFileSync(label, labelfile)
    await copy(label, join(`${base}.new`, 'cluster', 'backup_label'))
    rmSync(label)
    writeFileSync(join(`${base}.new`, 'archive'), archive)
    renameSync(`${base}.new`, base)
    return base
  } finally {
    await client.end()
  }
}

const copier = (recipient: string | undefined) => (from: string, to: string) =>
  recipient === undefined ? copyFileSync(from, to) : encryptFile(recipient, from, `${to}${ENCRYPTED}`)

/** Prepares the WAL archive, which no other user can read. */
function prepareArchive(home: Home, target: string, recipient: string | undefined): string {
  const archive = join(resolve(target), 'archive')
  mkdirSync(archive, { recursive: true })
  requireSameKind(archive, recipient !== undefined)
  if (recipient !== undefined) {
    chmodSync(archive, 0o700)
    archiveTo(home, openSpool(home, { archive, recipient }))
    return archive
  }
  chmodSync(resolve(target), 0o755)
  if (!isReachable(archive, home.user))
    throw new StartError(
      `The database runs as another user, who has no access to ${resolve(target)}. Choose another folder.`,
    )
  give(home, archive)
  chmodSync(archive, 0o700)
  archiveTo(home, archive)
  closeSpool(home)
  return archive
}

/** Plain and encrypted backups in one folder would look as if all were encrypted. */
function requireSameKind(archive: string, isEncrypted: boolean): void {
  const isOther = (name: string) => name.includes(`.gz${ENCRYPTED}`) !== isEncrypted
  if (readdirSync(archive).some(isOther))
    throw new StartError(
      isEncrypted
        ? 'This folder contains backups that are not encrypted. Choose another folder.'
        : 'This folder contains encrypted backups. Give their recipient, or choose another folder.',
    )
}
