import { spawn } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Decrypter } from 'age-encryption'
import { StartError } from '../platform/start-error.ts'
import { lastLines, withLogFile } from './child.ts'
import { copyFolder } from './copy.ts'
import { decryptFile, ENCRYPTED, readIdentity } from './encryption.ts'
import { clearStaleLock, loginsOf, readSecrets, secretsPath } from './postgres.ts'
import { give, type Home, prepareHome } from './postgres-home.ts'
import { closeSpool } from './wal-spool.ts'

const BASE = /^base-[0-9TZ-]+$/
/** As initdb writes it: every login needs a password. */
const HBA = ['local all all scram-sha-256', 'host all all 127.0.0.1/32 scram-sha-256', ''].join('\n')

export type Restore = {
  /** A folder made by `backUp`, or its parent folder: then the newest backup in it. */
  from: string
  dataDir: string
  /** The point in time to restore to. Default: the end of the WAL. */
  to?: Date | undefined
  /** The identity file of an encrypted backup. */
  identity?: string | undefined
}

/** Replaces the data in `dataDir` with a backup and replays the WAL. The old data is kept beside it. */
export async function restore({ from, dataDir, to, identity }: Restore): Promise<{ aside: string | undefined }> {
  const base = findBase(resolve(from))
  const decrypter = await openBackup(base, identity)
  const archive = readFileSync(join(base, 'archive'), 'utf8')
  const home = prepareHome(dataDir)
  const cluster = join(home.dataDir, 'cluster')
  await clearStaleLock(cluster)
  const aside = putAside(home, cluster)
  await copyFolder(join(base, 'cluster'), cluster, copier(decrypter))
  // The last WAL of the old server, which it had not archived yet.
  if (aside && !to) await copyFolder(join(aside, 'pg_wal'), join(cluster, 'pg_wal'))
  writeFileSync(join(cluster, 'recovery.signal'), '')
  writeFileSync(join(cluster, 'pg_hba.conf'), HBA, { mode: 0o600 })
  giveAll(home, cluster)
  closeSpool(home)
  const wal = join(home.dataDir, 'wal-restore')
  try {
    await copyWal(archive, wal, startOf(cluster), decrypter)
    giveAll(home, wal)
    await recover(home, cluster, wal, to)
  } finally {
    rmSync(wal, { recursive: true, force: true })
  }
  return { aside }
}

/** Checks before anything is replaced that the backup can be read. */
async function openBackup(base: string, identity: string | undefined): Promise<Decrypter | undefined> {
  const probe = join(base, 'cluster', `PG_VERSION${ENCRYPTED}`)
  if (!existsSync(probe)) return undefined
  if (identity === undefined) throw new StartError('This backup is encrypted. Give its identity file: --identity FILE')
  const decrypter = readIdentity(identity)
  const copy = join(tmpdir(), `wellplay-probe-${process.pid}`)
  try {
    await decryptFile(decrypter, probe, copy)
  } catch {
    throw new StartError(`The identity in ${identity} does not decrypt this backup.`)
  } finally {
    rmSync(copy, { force: true })
  }
  return decrypter
}

const copier = (decrypter: Decrypter | undefined) => (from: string, to: string) =>
  decrypter ? decryptFile(decrypter, from, to.slice(0, -ENCRYPTED.length)) : copyFileSync(from, to)

/** Keeps the old data and its passwords. The restored server gets new passwords. */
function putAside(home: Home, cluster: string): string | undefined {
  if (!existsSync(cluster)) return undefined
  const aside = `${cluster}.before-${new Date().toISOString().replace(/[:.]/g, '-')}`
  renameSync(cluster, aside)
  if (existsSync(secretsPath(home))) renameSync(secretsPath(home), `${aside}.secrets.json`)
  return aside
}

/** The part of a segment's name after the timeline: its position in the WAL. */
const positionOf = (name: string): string => name.slice(8, 24)

function startOf(cluster: string): string {
  const [, first = ''] = /^START WAL LOCATION.*\(file (\w{24})\)/m.exec(label(cluster)) ?? []
  return positionOf(first)
}
const label = (cluster: string) => readFileSync(join(cluster, 'backup_label'), 'utf8')

/** Brings the segments that the copy needs to a folder that the server can read. */
async function copyWal(archive: string, to: string, start: string, decrypter: Decrypter | undefined): Promise<void> {
  rmSync(to, { recursive: true, force: true })
  mkdirSync(to, { mode: 0o700 })
  const names = readdirSync(archive).filter((name) => /\.gz(\.age)?$/.test(name))
  const needed = names.filter((name) => !/^\w{24}\./.test(name) || positionOf(name) >= start)
  for (const name of needed) await copier(decrypter)(join(archive, name), join(to, name))
}

/**
 * Replays the WAL and sets new passwords in single-user mode: the server accepts no connections, so nobody can log in
 * with an old password. The statements go through standard input, because arguments are visible to other users.
 */
async function recover(home: Home, cluster: string, wal: string, to: Date | undefined): Promise<void> {
  const settings = {
    hot_standby: 'off',
    archive_mode: 'off',
    restore_command: `test -f '${wal}/%f.gz' && gzip -dc '${wal}/%f.gz' > '%p'`,
    ...(to && { recovery_target_time: to.toISOString().replace('Z', '+00'), recovery_target_action: 'promote' }),
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const statements = loginsOf(readSecrets(home)).map(
    ([role, password]) =>
      `do $$ begin if to_regrole('${role}') is not null then alter role ${role} password '${password}'; end if; end $$;`,
  )
  const logPath = join(home.dataDir, 'postgres.log')
  const code = await withLogFile(logPath, async (output) => {
    const server = spawn(join(home.binDir, 'postgres'), ['--single', '-D', cluster, ...flags, 'postgres'], {
      cwd: '/',
      env: { LC_ALL: 'C' },
      stdio: ['pipe', output, output],
      ...home.user,
    })
    server.stdin?.end(`${statements.join('\n')}\n`)
    return await new Promise<number>((resolve) => {
      server.once('error', () => resolve(127))
      server.once('exit', (exitCode) => resolve(exitCode ?? 1))
    })
  })
  if (code !== 0) throw new StartError(`PostgreSQL could not replay the backup.\n${lastLines(logPath, 12)}`)
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
