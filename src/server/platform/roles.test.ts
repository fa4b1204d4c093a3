import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { loginNames, type Postgres, startPostgres } from '../embedded/postgres.ts'
import { runAsOwner, withDatabase } from '../testing/database.ts'
import { startTcpProxy } from '../testing/tcp-proxy.ts'
import { migrate } from './migrate.ts'

// A server of its own: roles belong to the whole server.
const dataDir = mkdtempSync(join(tmpdir(), 'wellplay-postgres-'))
let server: Postgres
let number = 0
let url: string
const asAdministrator = (statement: string) => runAsOwner(server.ownerUrl, statement)

beforeAll(async () => {
  server = await startPostgres({ dataDir })
  await asAdministrator("create role tenant login password 'tenant'")
})
afterAll(async () => {
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** A database as a managed service gives it: its owner is neither a superuser nor may it create roles. */
beforeEach(async () => {
  const name = `managed_${++number}`
  await asAdministrator(`create database ${name} owner tenant`)
  const tenant = Object.assign(new URL(server.ownerUrl), { username: 'tenant', password: 'tenant' })
  url = withDatabase(tenant.toString(), name)
  return () => asAdministrator(`drop database ${name} with (force)`)
})

test('an owner who may not create roles learns which statements to run, and after them the migration succeeds', async () => {
  await asAdministrator(`drop role ${loginNames.map((name) => `wellplay_${name}`).join()}`)
  const error = await migrate(url).catch((thrown: Error) => thrown)
  expect(error).toHaveProperty(
    'message',
    `The login tenant may not create the roles of Wellplay. Run these statements as an administrator of the database server, then start again:
  create role wellplay_app nologin;
  create role wellplay_api nologin;
  create role wellplay_worker nologin;
  create role wellplay_operator nologin;
  create role wellplay_seeds nologin;
  grant wellplay_app to wellplay_api;
  grant wellplay_app to wellplay_worker;
  grant wellplay_app to wellplay_operator;`,
  )
  const [, ...statements] = (error as Error).message.split('\n')
  await asAdministrator('create role wellplay_app nologin')
  await expect(migrate(url)).rejects.toThrow('start again:\n  create role wellplay_api nologin;')
  for (const statement of statements.slice(1)) await asAdministrator(statement)
  expect(await migrate(url)).toContain('0028_platform_roles.sql')

  await asAdministrator("alter role wellplay_api login password 'api'")
  const api = Object.assign(new URL(url), { username: 'wellplay_api', password: 'api' }).toString()
  await runAsOwner(api, 'select from users')
  await expect(runAsOwner(api, 'delete from users')).rejects.toThrow('permission denied')
  await runAsOwner(api, 'select ledger_open_accounts(1)')
})

test('a login that may not create tables is refused with the statement that helps', async () => {
  const name = new URL(url).pathname.slice(1)
  await asAdministrator(`alter database ${name} owner to postgres`)
  await expect(migrate(url)).rejects.toThrow(
    `The login tenant may not create tables in the database ${name}. Make it the owner: alter database ${name} owner to tenant;`,
  )
  await asAdministrator(`alter database ${name} owner to tenant`)
  expect(await migrate(url)).toContain('0028_platform_roles.sql')
})

test('a server older than 15 is refused in one sentence, and nothing is changed', async () => {
  const proxy = await startTcpProxy(url, { rewrite: pretendVersion14 })
  await expect(migrate(proxy.url)).rejects.toThrow(
    'The database server runs PostgreSQL 14. Wellplay needs version 15 or newer.',
  )
  await proxy.stop()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  expect((await client.query("select to_regclass('migrations') as found")).rows).toEqual([{ found: null }])
  await client.end()
})

/** Replaces the version number in a row of the reply. The length stays the same. */
function pretendVersion14(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replace(/\b1[5-9]00\d\d\b/, '140009'), 'latin1')
}
