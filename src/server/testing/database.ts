import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { type LoginName, loginNames } from '../embedded/postgres.ts'
import { surviveDisconnects } from '../platform/db.ts'

export type TestDatabase = {
  ownerUrl: string
  /** A member of every process's role. */
  appUrl: string
  /** The login of each process, with only its own rights. */
  urls: Record<LoginName, string>
  drop: () => Promise<void>
}

/** A separate database for a test file, cloned from the migrated template in a few milliseconds. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { ownerUrl, appUrl, urls, template } = inject('postgres')
  const name = `test_${randomBytes(6).toString('hex')}`
  await runAsOwner(ownerUrl, `create database ${name} template ${template}`)
  return {
    ownerUrl: withDatabase(ownerUrl, name),
    appUrl: withDatabase(appUrl, name),
    urls: mapLogins((login) => withDatabase(urls[login], name)),
    drop: () => runAsOwner(ownerUrl, `drop database if exists ${name} with (force)`),
  }
}

const mapLogins = (value: (name: LoginName) => string) =>
  Object.fromEntries(loginNames.map((name) => [name, value(name)])) as Record<LoginName, string>

/** Creates a login that is a member of every process's role, so that one connection can do what any process may. */
export async function createAppLogin(ownerUrl: string): Promise<string> {
  const roles = loginNames.map((name) => `wellplay_${name}`).join()
  await runAsOwner(ownerUrl, 'drop role if exists wellplay_test')
  await runAsOwner(ownerUrl, `create role wellplay_test login password 'test' in role ${roles}`)
  return Object.assign(new URL(ownerUrl), { username: 'wellplay_test', password: 'test' }).toString()
}

/** Connections of the database's owner, who has rights that the application lacks. */
export const createOwnerPool = (ownerUrl: string, connectionsMax = 1): pg.Pool =>
  surviveDisconnects(new pg.Pool({ connectionString: ownerUrl, max: connectionsMax }))

export function withDatabase(url: string, name: string): string {
  return Object.assign(new URL(url), { pathname: `/${name}` }).toString()
}

export async function runAsOwner(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
