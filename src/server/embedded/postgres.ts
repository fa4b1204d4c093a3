import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { MAJOR_MIN, tooOld } from '../platform/roles.ts'
import { StartError } from '../platform/start-error.ts'
import { type Child, lastLines, startChild, withLogFile } from './child.ts'
import { give, type Home, prepareHome } from './postgres-home.ts'
import { keepSpoolEmpty } from './wal-spool.ts'

/** The roles that our processes log in with (migrations/0028_platform_roles.sql). */
export const loginNames = ['api', 'worker', 'seeds', 'operator'] as const
export type LoginName = (typeof loginNames)[number]

export type Postgres = {
  ownerUrl: string
  urls: Record<LoginName, string>
  pid: () => number | undefined
  /** A server that has not stopped after `timeoutMs` is killed. It recovers at the next start. */
  stop: (timeoutMs?: number) => Promise<void>
}

export type PostgresOptions = {
  /** Used only by the server: cluster, passwords and log. */
  dataDir: string
  /** Settings that override ours, for tests and benchmarks. */
  settings?: Record<string, string>
  log?: (line: string) => void
}

const DATABASE = 'wellplay'
/** This file contains the path of the WAL archive. Without it, WAL is not archived. */
const ARCHIVE_FILE = 'archive-to'
const ATTEMPTS = 4

/** Runs a real PostgreSQL on the loopback interface. Created at the first start; restarted after a crash. */
export async function startPostgres({ dataDir, settings = {}, log = () => {} }: PostgresOptions): Promise<Postgres> {
  const home = prepareHome(dataDir)
  const cluster = join(home.dataDir, 'cluster')
  const secrets = readSecrets(home)
  if (!existsSync(cluster)) await createCluster(home, cluster, secrets.owner)
  const start = (port?: number) => startServer(home, cluster, settings, secrets.owner, port)
  let server = await start()
  const { port } = server
  await createDatabase(port, secrets)

  let isStopping = false
  async function keep(): Promise<void> {
    while (!isStopping) {
      await server.child.exited
      if (isStopping) return
      log('The database stopped unexpectedly. Restarting it.')
      server = await start(port)
      if (isStopping) await server.child.stop()
    }
  }
  const kept = keep().catch((error: Error) => log(error.message))
  const spool = keepSpoolEmpty(home, log)

  const url = (user: string, password: string) => `postgres://${user}:${password}@127.0.0.1:${port}/${DATABASE}`
  return {
    ownerUrl: url('postgres', secrets.owner),
    urls: byLogin((name) => url(`wellplay_${name}`, secrets[name])),
    pid: () => readPid(cluster),
    async stop(timeoutMs?: number) {
      isStopping = true
      await server.child.stop(timeoutMs)
      await kept
      await spool.stop()
    },
  }
}

const byLogin = (value: (name: LoginName) => string) =>
  Object.fromEntries(loginNames.map((name) => [name, value(name)])) as Record<LoginName, string>

type Secrets = Record<'owner' | LoginName, string>

/** The roles that log in, and their passwords. */
export const loginsOf = (secrets: Secrets): [role: string, password: string][] => [
  ['postgres', secrets.owner],
  ...loginNames.map((name): [string, string] => [`wellplay_${name}`, secrets[name]]),
]

export const secretsPath = (home: Home): string => join(home.dataDir, 'secrets.json')

/** The passwords. Those that are missing, at the first start or in an older file, are created. */
export function readSecrets(home: Home): Secrets {
  const path = secretsPath(home)
  const known: Partial<Secrets> = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  const password = (name: keyof Secrets) => known[name] ?? randomBytes(24).toString('hex')
  const secrets: Secrets = { owner: password('owner'), ...byLogin(password) }
  if (loginNames.some((name) => !known[name])) {
    writeFileSync(`${path}.new`, JSON.stringify(secrets), { mode: 0o600, flush: true })
    renameSync(`${path}.new`, path)
  }
  return secrets
}

// Created under another name and renamed when complete: a killed start leaves nothing that looks like a cluster.
async function createCluster(home: Home, cluster: string, password: string): Promise<void> {
  const [fresh, passwordFile] = [`${cluster}.new`, join(home.dataDir, 'password')]
  rmSync(fresh, { recursive: true, force: true })
  writeFileSync(passwordFile, password, { mode: 0o600 })
  give(home, passwordFile)
  const args = ['-D', fresh, '-U', 'postgres', '-A', 'scram-sha-256', '--pwfile', passwordFile, '-E', 'UTF8']
  const { code, logPath } = await run(home, 'initdb', [...args, ...localeOf(home)])
  rmSync(passwordFile)
  if (code !== 0) throw new StartError(`PostgreSQL could not create its data folder.\n${lastLines(logPath, 12)}`)
  renameSync(fresh, cluster)
}

/** Text sorts by code point on every machine. Since version 17 that needs no locale of the operating system. */
function localeOf({ binDir }: Home): string[] {
  const version = execFileSync(join(binDir, 'postgres'), ['--version'], { encoding: 'utf8' })
  const major = Number(/ (\d+)/.exec(version)?.[1])
  if (major < MAJOR_MIN) throw new StartError(tooOld(major))
  return major < 17 ? ['--locale=C.UTF-8'] : ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
}

async function run(home: Home, program: string, args: string[]): Promise<{ code: number; logPath: string }> {
  const { child, logPath } = launch(home, program, args)
  return { code: await child.exited, logPath }
}

function launch(home: Home, program: string, args: string[]): { child: Child; logPath: string } {
  const logPath = join(home.dataDir, 'postgres.log')
  const child = withLogFile(logPath, (output) =>
    startChild({
      command: join(home.binDir, program),
      args,
      env: { LC_ALL: 'C' },
      user: home.user,
      signal: 'INT',
      output,
    }),
  )
  return { child, logPath }
}

// After kill −9, postmaster.pid contains the pid of a process that is gone, or that now belongs to another process.
export async function clearStaleLock(cluster: string): Promise<void> {
  for (let waits = 0; waits < 100; waits++) {
    const pid = readPid(cluster)
    if (pid === undefined) return
    if (!commandOf(pid).includes(cluster)) return rmSync(join(cluster, 'postmaster.pid'), { force: true })
    await sleep(100)
  }
  throw new StartError(`Another Wellplay instance is using the database in ${cluster}. Stop it first.`)
}

function readPid(cluster: string): number | undefined {
  const path = join(cluster, 'postmaster.pid')
  return existsSync(path) ? Number(readFileSync(path, 'utf8').split('\n')[0]) : undefined
}

function commandOf(pid: number): string {
  if (process.platform !== 'linux')
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

// The operating system picks a free port, but another process may take it before the server does. Then we try again.
async function startServer(
  home: Home,
  cluster: string,
  settings: Record<string, string>,
  password: string,
  fixedPort?: number,
): Promise<{ child: Child; port: number }> {
  await clearStaleLock(cluster)
  for (let attempt = 1; ; attempt++) {
    const port = fixedPort ?? (await freePort())
    const all = { ...settingsFor(home.dataDir), ...settings, port: String(port) }
    const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const { child, logPath } = launch(home, 'postgres', ['-D', cluster, ...flags])
    if (await accepts(child, port, password)) return { child, port }
    await child.stop()
    await sleep(200 * attempt)
    if (attempt === ATTEMPTS) throw new StartError(`PostgreSQL did not start.\n${lastLines(logPath, 12)}`)
  }
}

// Values measured for the ledger, limited to a quarter of the memory and a tenth of the free disk space.
function settingsFor(dataDir: string): Record<string, string> {
  const megabytes = (bytes: number, least: number, most: number) =>
    `${Math.floor(Math.min(Math.max(bytes / 2 ** 20, least), most))}MB`
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
  const disk = statfsSync(dataDir)
  return {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: megabytes(memory / 4, 64, 1024),
    effective_cache_size: megabytes(memory / 2, 128, 65_536),
    max_wal_size: megabytes((disk.bavail * disk.bsize) / 10, 512, 8192),
    checkpoint_timeout: '30min',
    random_page_cost: '1.1',
    timezone: 'UTC',
    log_timezone: 'UTC',
    archive_mode: 'on',
    archive_command: archiveCommand(join(dataDir, ARCHIVE_FILE)),
  }
}

/** The archive_command writes WAL to this folder from now on, for backups. */
export function archiveTo(home: Home, folder: string): void {
  const path = join(home.dataDir, ARCHIVE_FILE)
  writeFileSync(path, folder)
  give(home, path)
}

// A segment gets its name when it is complete. The unused rest of one closed early is zeros, which compress well.
const archiveCommand = (file: string): string =>
  `test ! -f '${file}' || { to=$(cat '${file}')/%f.gz; gzip -1 -c '%p' > "$to.new" && sync "$to.new" && mv "$to.new" "$to"; }`

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

// Recovery after a crash can take a while: we wait as long as the server is running.
async function accepts(child: Child, port: number, password: string): Promise<boolean> {
  while (child.running()) {
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', password, database: 'postgres' })
    // A server that dies right after it answered must not end this process: the server is restarted.
    client.on('error', () => {})
    try {
      await client.connect()
      await client.end()
      return true
    } catch {
      await sleep(30)
    }
  }
  return false
}

async function createDatabase(port: number, secrets: Secrets): Promise<void> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password: secrets.owner,
    database: 'postgres',
  })
  await client.connect()
  try {
    await createLogins(client, secrets)
    const databases = await client.query('select from pg_database where datname = $1', [DATABASE])
    if (databases.rowCount === 0) await client.query(`create database ${DATABASE}`)
  } finally {
    await client.end()
  }
}

async function createLogins(client: pg.Client, secrets: Secrets): Promise<void> {
  const { rows } = await client.query<{ rolname: string }>("select rolname from pg_roles where rolname ~ '^wellplay'")
  const known = rows.map(({ rolname }) => rolname)
  for (const name of loginNames) {
    if (!known.includes(`wellplay_${name}`)) await client.query(`create role wellplay_${name}`)
    await client.query(`alter role wellplay_${name} login password '${secrets[name]}'`)
  }
  // Earlier versions had one login for all processes.
  await client.query('drop role if exists wellplay')
}
