import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { type Child, lastLines, startChild, withLogFile } from '../embedded/child.ts'
import { freePort, startPostgres } from '../embedded/postgres.ts'
import { give, type Home, prepareHome } from '../embedded/postgres-home.ts'
import { migrate } from '../platform/migrate.ts'
import { createAppLogin, createOwnerPool, runAsOwner, type TestDatabase } from './database.ts'

const STANDBY = 'standby'
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  // Only a machine could lose what is not flushed. The tests kill processes.
  fsync: 'off',
  // A frozen standby stays connected.
  wal_sender_timeout: '0',
}

export type Replicas = Awaited<ReturnType<typeof startReplicas>>

/** A migrated primary and its synchronous standby, both real servers. Commits on the primary wait for the standby. */
export async function startReplicas() {
  const dataDirs = { primary: newFolder(), standby: newFolder() }
  const { ports, homes, databaseAt } = await prepare(dataDirs)
  const waitsForStandby = { ...settings, synchronous_standby_names: STANDBY }
  const [primary, standby] = [databaseAt(ports.primary), databaseAt(ports.standby)]
  const server = {
    primary: await startServer(homes.primary, primary.ownerUrl, waitsForStandby),
    standby: await startServer(homes.standby, standby.ownerUrl, settings),
  }
  const owners = { primary: createOwnerPool(primary.ownerUrl), standby: createOwnerPool(standby.ownerUrl) }
  await until(async () => (await states(owners.primary)).includes('sync'))
  let frozen: number | undefined

  return {
    primary,
    standby,
    /** Stops the standby's process that receives WAL. Commits wait from now on. */
    async freeze(): Promise<void> {
      const { rows } = await owners.standby.query<{ pid: number }>('select pid from pg_stat_wal_receiver')
      frozen = rows[0]?.pid
      if (!frozen) throw new Error('the standby receives nothing')
      process.kill(frozen, 'SIGSTOP')
    },
    thaw(): void {
      if (frozen) process.kill(frozen, 'SIGCONT')
      frozen = undefined
    },
    /** Asks the primary, and sees what it has committed alone. */
    query: (statement: string) => owners.primary.query(statement),
    /** The backends of the primary whose commit waits for the standby. */
    listWaiting: () => listWaiting(owners.primary),
    /** What `work` resolves to, or 'waits' as soon as this many commits wait for the standby. */
    orWaits: <Result>(work: Promise<Result>, count = 1): Promise<Result | 'waits'> =>
      Promise.race([work, waitUntilWaiting(owners.primary, count)]),
    /** Resolves when the backend has ended. */
    terminate: (pid: number) => owners.primary.query('select pg_terminate_backend($1, 60000)', [pid]),
    cancel: (pid: number) => owners.primary.query('select pg_cancel_backend($1)', [pid]),
    /** kill −9. The primary comes back with everything that it had committed itself. */
    async crashPrimary(): Promise<void> {
      await kill(homes.primary, server.primary)
      server.primary = await startServer(homes.primary, primary.ownerUrl, waitsForStandby)
    },
    /** kill −9 of the primary for ever, then the standby takes over with what it has stored until now. */
    async failOver(): Promise<void> {
      await kill(homes.primary, server.primary)
      // A frozen process would first read what is still in its socket. It belongs to the machine that was lost.
      if (frozen) process.kill(frozen, 'SIGKILL')
      frozen = undefined
      // The standby restarts if its receiver was killed, so the first attempt may be cut off.
      const promote = 'select case when pg_is_in_recovery() then pg_promote() end'
      await until(() => succeeds(owners.standby.query(promote)))
    },
    async stop(): Promise<void> {
      this.thaw()
      await Promise.all([owners.primary.end(), owners.standby.end()])
      await Promise.all([server.standby.stop(), server.primary.stop()])
      for (const folder of Object.values(dataDirs)) rmSync(folder, { recursive: true, force: true })
    },
  }
}

const newFolder = () => mkdtempSync(join(tmpdir(), 'wellplay-replicas-'))

/** Creates the primary, migrates it, and copies it to the standby while both are stopped. */
async function prepare(dataDirs: { primary: string; standby: string }) {
  const first = await startPostgres({ dataDir: dataDirs.primary, settings: { fsync: 'off' } })
  await migrate(first.ownerUrl)
  const appUrl = await createAppLogin(first.ownerUrl)
  await first.stop()
  const homes = { primary: prepareHome(dataDirs.primary), standby: prepareHome(dataDirs.standby) }
  const ports = { primary: await freePort(), standby: await freePort() }
  execFileSync('cp', ['-a', clusterOf(homes.primary), clusterOf(homes.standby)])
  follow(homes.standby, at(first.ownerUrl, ports.primary))
  const databaseAt = (port: number): TestDatabase => ({
    ownerUrl: at(first.ownerUrl, port),
    appUrl: at(appUrl, port),
    urls: Object.fromEntries(Object.entries(first.urls).map(([name, url]) => [name, at(url, port)])) as never,
    drop: async () => {},
  })
  return { ports, homes, databaseAt }
}

const clusterOf = ({ dataDir }: Home) => join(dataDir, 'cluster')
const at = (url: string, port: number) => Object.assign(new URL(url), { port: String(port) }).toString()

/** Makes a copied cluster a standby of the server at `url`. */
function follow(home: Home, url: string): void {
  const signal = join(clusterOf(home), 'standby.signal')
  writeFileSync(signal, '')
  give(home, signal)
  const source = `primary_conninfo = '${url}?application_name=${STANDBY}'\n`
  appendFileSync(join(clusterOf(home), 'postgresql.auto.conf'), source)
}

async function startServer(home: Home, ownerUrl: string, values: Record<string, string>): Promise<Child> {
  const all = { ...values, port: new URL(ownerUrl).port }
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const logPath = join(home.dataDir, 'postgres.log')
  const child = withLogFile(logPath, (output) =>
    startChild({
      command: join(home.binDir, 'postgres'),
      args: ['-D', clusterOf(home), ...flags],
      env: { LC_ALL: 'C' },
      user: home.user,
      signal: 'INT',
      output,
    }),
  )
  await until(async () => {
    if (!child.running()) throw new Error(`PostgreSQL did not start.\n${lastLines(logPath, 12)}`)
    return succeeds(runAsOwner(ownerUrl, 'select'))
  })
  return child
}

/** kill −9 of the server and of every process it has started, as when its machine loses power. */
async function kill(home: Home, child: Child): Promise<void> {
  const pid = Number(readFileSync(join(clusterOf(home), 'postmaster.pid'), 'utf8').split('\n')[0])
  const children = listChildren(pid)
  process.kill(pid, 'SIGKILL')
  await child.exited
  for (const each of children) killIfRunning(each)
}

function listChildren(parent: number): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const rows = lines.map((line) => line.trim().split(/\s+/).map(Number))
  return rows.flatMap(([pid = 0, ppid]) => (ppid === parent ? [pid] : []))
}

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended with the server.
  }
}

async function states(owner: pg.Pool): Promise<string[]> {
  const { rows } = await owner.query<{ sync_state: string }>('select sync_state from pg_stat_replication')
  return rows.map(({ sync_state }) => sync_state)
}

async function listWaiting(owner: pg.Pool): Promise<number[]> {
  const { rows } = await owner.query<{ pid: number }>(
    `select pid from pg_stat_activity where wait_event = 'SyncRep' order by pid`,
  )
  return rows.map(({ pid }) => pid)
}

async function waitUntilWaiting(owner: pg.Pool, count: number): Promise<'waits'> {
  const isReached = async () => (await listWaiting(owner).catch(() => [])).length === count
  await until(async () => owner.ended || (await isReached()))
  return 'waits'
}

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )

async function until(isReached: () => Promise<boolean>): Promise<void> {
  while (!(await isReached())) await sleep(20)
}
