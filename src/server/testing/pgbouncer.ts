import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Child, lastLines, startChild, withLogFile } from '../embedded/child.ts'
import { freePort } from '../embedded/postgres.ts'
import { give, prepareHome } from '../embedded/postgres-home.ts'
import { runAsOwner, type TestDatabase } from './database.ts'
import { throughPort } from './tcp-proxy.ts'

/** Fewer than one process opens, so that transactions of different connections share a session. */
const SERVER_CONNECTIONS = 3

/** A real PgBouncer in transaction mode, in front of a test database. */
export async function startPgbouncer({ ownerUrl, urls }: TestDatabase) {
  const folder = mkdtempSync(join(tmpdir(), 'wellplay-pgbouncer-'))
  // Like PostgreSQL, it does not run as root.
  const home = prepareHome(folder)
  const port = await freePort()
  const logins = [ownerUrl, ...Object.values(urls)].map((url) => new URL(url))
  write('users.txt', ...logins.map(({ username, password }) => `"${username}" "${password}"`))
  write('pgbouncer.ini', ...configOf(home.dataDir, port, new URL(ownerUrl)))

  function write(name: string, ...lines: string[]): void {
    const path = join(home.dataDir, name)
    writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o600 })
    give(home, path)
  }

  async function start(): Promise<Child> {
    const logPath = join(home.dataDir, 'log')
    const args = ['-q', join(home.dataDir, 'pgbouncer.ini')]
    const started = withLogFile(logPath, (output) =>
      startChild({ command: '/usr/sbin/pgbouncer', args, user: home.user, signal: 'KILL', output }),
    )
    while (!(await accepts(throughPort(ownerUrl, port)))) {
      if (!started.running()) throw new Error(`PgBouncer did not start.\n${lastLines(logPath, 12)}`)
      await sleep(20)
    }
    return started
  }

  let child = await start()
  return {
    /** The same login, through PgBouncer. */
    through: (url: string) => throughPort(url, port),
    /** kill −9 */
    kill: () => child.stop(),
    async restart(): Promise<void> {
      child = await start()
    },
    async stop(): Promise<void> {
      await child.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const configOf = (folder: string, port: number, server: URL): string[] => [
  '[databases]',
  `* = host=${server.hostname} port=${server.port}`,
  '[pgbouncer]',
  'listen_addr = 127.0.0.1',
  `listen_port = ${port}`,
  'unix_socket_dir =',
  'auth_type = scram-sha-256',
  `auth_file = ${join(folder, 'users.txt')}`,
  'pool_mode = transaction',
  `default_pool_size = ${SERVER_CONNECTIONS}`,
  'max_client_conn = 500',
]

const accepts = (url: string): Promise<boolean> =>
  runAsOwner(url, 'select').then(
    () => true,
    () => false,
  )
