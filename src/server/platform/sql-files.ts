import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { StartError } from './start-error.ts'

/** `name` is the path inside the migrations folder. */
export type SqlFile = { name: string; text: string; sha256: string }

export function readSqlFile(folder: string, name: string): SqlFile {
  const text = readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n')
  return { name, text, sha256: createHash('sha256').update(text).digest('hex') }
}

export async function runSqlFile(client: pg.Client, { name, text }: SqlFile): Promise<void> {
  try {
    await client.query(text)
  } catch (cause) {
    throw new StartError(`The migration ${name} failed: ${(cause as Error).message}`, { cause })
  }
}

export async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
