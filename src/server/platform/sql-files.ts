import { createHash, randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
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

/** How long one statement waits for a lock. Readers that come later wait behind it, so this is short. */
const LOCK_MS_MAX = 500
const PAUSE_MS = { min: 300, max: 1_500 }
/** Lock timeout, deadlock, statement timeout: another connection was in the way. */
const IN_THE_WAY = new Set(['55P03', '40P01', '57014'])
const codeOf = ({ code, cause }: { code?: string; cause?: unknown }): string =>
  code ?? (cause as { code?: string } | undefined)?.code ?? ''

/**
 * Runs `work` in one transaction. A lock that does not become free soon rolls everything back, which lets the waiting
 * readers through, and `work` runs again after a pause. After `waitMsMax` that is reported.
 */
export async function inTransaction(client: pg.Client, waitMsMax: number, work: () => Promise<void>): Promise<void> {
  const endMs = performance.now() + waitMsMax
  for (;;) {
    try {
      return await tryTransaction(client, work)
    } catch (error) {
      if (!IN_THE_WAY.has(codeOf(error as Error))) throw error
      if (performance.now() > endMs) throw new StartError(`${IN_USE} (${(error as Error).message})`, { cause: error })
    }
    await sleep(randomInt(PAUSE_MS.min, PAUSE_MS.max))
  }
}

const IN_USE =
  'A migration needs a table that another connection keeps locked. This migration changed nothing. End the long ' +
  'transaction and migrate again.'

async function tryTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${LOCK_MS_MAX}`)
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
