import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { surviveDisconnects } from '../platform/db.ts'

export type TestDatabase = { ownerUrl: string; appUrl: string; drop: () => Promise<void> }

/** A separate database for a test file, cloned from the migrated template in a few milliseconds. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { ownerUrl, appUrl, template } = inject('postgres')
  const name = `test_${randomBytes(6).toString('hex')}`
  await runAsOwner(ownerUrl, `create database ${name} template ${template}`)
  return {
    ownerUrl: withDatabase(ownerUrl, name),
    appUrl: withDatabase(appUrl, name),
    drop: () => runAsOwner(ownerUrl, `drop database if exists ${name} with (force)`),
  }
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
