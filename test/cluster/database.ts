import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { postgresBin } from '../../scripts/debian-packages.mjs'
import { startChild, withLogFile } from '../../src/server/embedded/child.ts'
import { freePort, type LoginName, loginNames } from '../../src/server/embedded/postgres.ts'
import { untilTrue } from '../faults/until.ts'
import { deployPath, environmentFrom } from './deploy.ts'
import { createMachine, type Machine, type Secrets } from './machine.ts'
import type { Network } from './network.ts'

const NAMES = ['db1', 'db2', 'db3']
const WHOLE_MS_MAX = 300_000

export type Database = Awaited<ReturnType<typeof startDatabase>>
type Login = 'owner' | LoginName
type Passwords = Record<Login, string>

/** etcd and three machines with Patroni. Commits wait for a standby. */
export async function startDatabase(folder: string, network: Network) {
  const etcd = await startEtcd(folder)
  const secrets = Object.fromEntries(
    ['superuser', 'replication', 'rewind', 'restapi'].map((name) => [name, newPassword()]),
  ) as Secrets
  const options = { folder, network, etcdPort: etcd.port, secrets }
  const machines = await Promise.all(NAMES.map((name) => createMachine(name, options)))
  const passwords = Object.fromEntries(
    (['owner', ...loginNames] as const).map((name) => [name, newPassword()]),
  ) as Passwords

  async function findPrimary(): Promise<Machine> {
    const answers = await Promise.all(machines.map((machine) => machine.isPrimary()))
    const primary = machines[answers.indexOf(true)]
    if (!primary) throw new Error('there is no primary')
    return primary
  }

  /** The standbys that receive WAL, the synchronous one first. */
  async function listStandbys(primary: Machine): Promise<Machine[]> {
    const roles = await primary.listRoles()
    const isSynchronous = ({ name }: Machine) => roles.get(name) === 'sync_standby'
    const rows = await primary.query<{ name: string }>(
      `select application_name as name from pg_stat_replication where state = 'streaming'`,
    )
    const receiving = machines.filter(({ name }) => rows.some((row) => row.name === name))
    if (!receiving.some(isSynchronous)) return []
    return receiving.toSorted((a, b) => Number(isSynchronous(b)) - Number(isSynchronous(a)))
  }

  /** Waits until there is a primary with two standbys. The first one is the synchronous one. */
  async function becomeWhole(): Promise<{ primary: Machine; standbys: Machine[] }> {
    let whole: { primary: Machine; standbys: Machine[] } | undefined
    await untilTrue(async () => {
      const primary = await findPrimary()
      whole = { primary, standbys: await listStandbys(primary) }
      return whole.standbys.length === 2
    }, WHOLE_MS_MAX)
    if (!whole) throw new Error('there is no primary')
    return whole
  }
  // A frozen machine would not stop with this process.
  const killAll = () => {
    for (const machine of machines) machine.killNow()
  }
  process.once('exit', killAll)
  const database = {
    findPrimary,
    becomeWhole,
    /** The addresses of the three servers for a process with this name. The one that accepts writes is used. */
    async urlFor(process: string, login: Login): Promise<string> {
      const hosts = machines.map(({ name, ports }) => network.link(process, name, ports.postgres))
      return `postgres://wellplay_${login}:${passwords[login]}@${(await Promise.all(hosts)).join(',')}/wellplay`
    },
    async stop(): Promise<void> {
      process.off('exit', killAll)
      await Promise.all(machines.map((machine) => machine.stop()))
      await etcd.stop()
    },
  }
  try {
    const { primary } = await becomeWhole()
    await createLogins(primary, secrets.superuser, passwords)
    return database
  } catch (error) {
    await database.stop()
    throw error
  }
}

const newPassword = () => randomBytes(24).toString('hex')

/** One member. On three machines there are three. */
async function startEtcd(folder: string) {
  const [client, peer] = [await freePort(), await freePort()]
  const env = environmentFrom('etcd/etcd.env', {
    ETCD_NAME: 'etcd',
    ETCD_DATA_DIR: join(folder, 'etcd'),
    ETCD_LISTEN_PEER_URLS: `http://127.0.0.1:${peer}`,
    ETCD_LISTEN_CLIENT_URLS: `http://127.0.0.1:${client}`,
    ETCD_INITIAL_ADVERTISE_PEER_URLS: `http://127.0.0.1:${peer}`,
    ETCD_ADVERTISE_CLIENT_URLS: `http://127.0.0.1:${client}`,
    ETCD_INITIAL_CLUSTER: `etcd=http://127.0.0.1:${peer}`,
  })
  const child = withLogFile(join(folder, 'etcd.log'), (output) =>
    startChild({ command: '/usr/bin/etcd', args: [], env, signal: 'TERM', output }),
  )
  return { port: client, stop: () => child.stop() }
}

/** With the file that an operator uses. */
async function createLogins(primary: Machine, password: string, passwords: Passwords): Promise<void> {
  const variables = Object.entries(passwords).flatMap(([name, value]) => ['-v', `${name}=${value}`])
  const server = `host=127.0.0.1 port=${primary.ports.postgres} user=postgres`
  await promisify(execFile)(
    join(postgresBin(), 'psql'),
    [server, '-qX', ...variables, '-f', deployPath('postgresql/logins.sql')],
    { env: { PGPASSWORD: password } },
  )
}
