import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { postgresBin } from '../../scripts/debian-packages.mjs'
import { type Child, startChild, withLogFile } from '../../src/server/embedded/child.ts'
import { freePort } from '../../src/server/embedded/postgres.ts'
import { give, type Home, prepareHome } from '../../src/server/embedded/postgres-home.ts'
import { familyOf, killAll, signalAll } from '../../src/server/testing/processes.ts'
import { deployPath, environmentFrom } from './deploy.ts'
import type { Network } from './network.ts'

/** The end of all replication connections that is not the primary. Cutting it stops replication alone. */
export const STANDBYS = 'standbys'
const ANSWER_MS_MAX = 2_000
const STOP_MS_MAX = 15_000

/** Shorter times than in deploy/, so that a failover takes seconds, and less memory and disk. */
const LOCAL = `
bootstrap:
  dcs:
    ttl: 8
    loop_wait: 1
    retry_timeout: 3
    postgresql:
      parameters:
        shared_buffers: 32MB
        max_wal_size: 256MB
        wal_keep_size: 128MB
        # Only a machine could lose what is not flushed. We kill processes.
        fsync: 'off'
postgresql:
  parameters:
    unix_socket_directories: ''
`

export type Secrets = Record<'superuser' | 'replication' | 'rewind' | 'restapi', string>
export type Machine = Awaited<ReturnType<typeof createMachine>>
type Options = { folder: string; network: Network; etcdPort: number; secrets: Secrets }

/** One of the three database machines: Patroni and its PostgreSQL. Others reach them only through the network. */
export async function createMachine(name: string, { folder, network, etcdPort, secrets }: Options) {
  const home = prepareHome(join(folder, name))
  const dataDir = join(home.dataDir, 'data')
  const ports = { postgres: await freePort(), rest: await freePort() }
  const addresses = {
    standbys: await network.link(STANDBYS, name, ports.postgres),
    rest: await network.link('others', name, ports.rest),
    etcd: await network.link(name, 'etcd', etcdPort),
  }
  const config = writeConfig(home)
  const env = patroniEnvironment(name, { home, dataDir, ports, addresses, secrets })
  const launch = () => launchPatroni(home, config, env)
  let patroni = launch()
  let frozen: number[] = []

  /** Every process of this machine. The postmaster is frozen first, so that it starts no other meanwhile. */
  function freezeAndList(): number[] {
    const postmaster = findPostmaster(dataDir)
    signalAll(postmaster, 'SIGSTOP')
    const roots = patroni.running() ? [patroni.pid, ...postmaster] : postmaster
    return roots.flatMap((pid) => familyOf({ pid }))
  }
  const killNow = () => killAll(freezeAndList())
  const query = <Row extends pg.QueryResultRow>(text: string) => ask<Row>(ports.postgres, secrets.superuser, text)

  return {
    name,
    ports,
    /** As superuser, directly and not through the network. */
    query,
    isPrimary: () => isPrimary(ports.rest),
    listRoles: () => listRoles(ports.rest),
    /** kill −9 of everything on this machine. */
    async kill(): Promise<void> {
      killNow()
      await patroni.exited
    },
    killNow,
    start(): void {
      patroni = launch()
    },
    /** As when the machine is paused: its processes do nothing, and nothing that is sent to it arrives. */
    freeze(): void {
      network.cut(name)
      frozen = freezeAndList()
      signalAll(frozen, 'SIGSTOP')
    },
    /** Cut off from all others. A standby also stops receiving, because replication connections share one link. */
    async cut(): Promise<void> {
      network.cut(name)
      const receivers = await query<{ pid: number }>('select pid from pg_stat_wal_receiver')
      frozen = receivers.map(({ pid }) => pid)
      signalAll(frozen, 'SIGSTOP')
    },
    /** Ends `freeze` and `cut`. */
    heal(): void {
      signalAll(frozen, 'SIGCONT')
      frozen = []
      network.heal(name)
    },
    async stop(): Promise<void> {
      signalAll(frozen, 'SIGCONT')
      await patroni.stop(STOP_MS_MAX)
      killNow()
    },
  }
}

/** Whether Patroni holds the lock of the primary here. */
const isPrimary = (port: number): Promise<boolean> =>
  askPatroni(port, '/primary').then(
    ({ status }) => status === 200,
    () => false,
  )

/**
 * The roles of all members that Patroni sees. It would let a `sync_standby` take over; PostgreSQL reports one earlier, when
 * Patroni would not yet.
 */
async function listRoles(port: number): Promise<Map<string, string>> {
  const reply = await askPatroni(port, '/cluster')
  const { members } = (await reply.json()) as { members: { name: string; role: string }[] }
  return new Map(members.map(({ name, role }) => [name, role]))
}

const askPatroni = (port: number, path: string): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(ANSWER_MS_MAX) })

type Place = {
  home: Home
  dataDir: string
  ports: { postgres: number; rest: number }
  addresses: { standbys: string; rest: string; etcd: string }
  secrets: Secrets
}

const patroniEnvironment = (name: string, { home, dataDir, ports, addresses, secrets }: Place) => ({
  ...environmentFrom('patroni/patroni.env', {
    PATRONI_NAME: name,
    PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${ports.postgres}`,
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: addresses.standbys,
    PATRONI_RESTAPI_LISTEN: `127.0.0.1:${ports.rest}`,
    PATRONI_RESTAPI_CONNECT_ADDRESS: addresses.rest,
    PATRONI_ETCD_HOSTS: addresses.etcd,
    PATRONI_POSTGRESQL_BIN_DIR: postgresBin(),
    PATRONI_POSTGRESQL_DATA_DIR: dataDir,
    PATRONI_POSTGRESQL_PGPASS: join(home.dataDir, 'pgpass'),
    PATRONI_SUPERUSER_PASSWORD: secrets.superuser,
    PATRONI_REPLICATION_PASSWORD: secrets.replication,
    PATRONI_REWIND_PASSWORD: secrets.rewind,
    PATRONI_RESTAPI_PASSWORD: secrets.restapi,
  }),
  // Otherwise Patroni would ask etcd for its own address and go around the network.
  PATRONI_ETCD_USE_PROXIES: 'true',
  LC_ALL: 'C',
})

const launchPatroni = (home: Home, config: string, env: Record<string, string>): Child =>
  withLogFile(join(home.dataDir, 'patroni.log'), (output) =>
    startChild({ command: '/usr/bin/patroni', args: [config], env, user: home.user, signal: 'TERM', output }),
  )

async function ask<Row extends pg.QueryResultRow>(port: number, password: string, text: string): Promise<Row[]> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password,
    database: 'postgres',
    connectionTimeoutMillis: ANSWER_MS_MAX,
    query_timeout: ANSWER_MS_MAX,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<Row>(text)).rows
  } finally {
    client.end().catch(() => {})
  }
}

/** Patroni reads all files of a folder in order. */
function writeConfig(home: Home): string {
  const folder = join(home.dataDir, 'config')
  mkdirSync(folder, { recursive: true })
  copyFileSync(deployPath('patroni/config.yml'), join(folder, '1-deploy.yml'))
  writeFileSync(join(folder, '2-local.yml'), LOCAL)
  for (const path of [folder, join(folder, '1-deploy.yml'), join(folder, '2-local.yml')]) give(home, path)
  chmodSync(folder, 0o700)
  return folder
}

/** The running postmaster of this folder. After a crash its file may have the number of a process that is gone. */
function findPostmaster(dataDir: string): number[] {
  const path = join(dataDir, 'postmaster.pid')
  if (!existsSync(path)) return []
  const pid = Number(readFileSync(path, 'utf8').split('\n')[0])
  const command = existsSync(`/proc/${pid}/cmdline`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : ''
  return command.includes(dataDir) ? [pid] : []
}
