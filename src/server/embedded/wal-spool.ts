import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ENCRYPTED, encryptFile } from './encryption.ts'
import { give, type Home } from './postgres-home.ts'

/**
 * Encrypted WAL archiving. PostgreSQL's archive_command runs in a shell, as a user who may have no access to our code.
 * So it writes the segments to a folder beside the cluster, and the process that runs PostgreSQL encrypts them into the
 * archive and deletes them.
 */
type Target = { archive: string; recipient: string }

const TARGET_FILE = 'archive-encrypted'
const REST_MS = 2_000
const spoolOf = (home: Home) => join(home.dataDir, 'wal-spool')

/** Encrypts archived WAL for this recipient from now on. Returns the folder that the archive_command must write to. */
export function openSpool(home: Home, target: Target): string {
  const spool = spoolOf(home)
  mkdirSync(spool, { recursive: true, mode: 0o700 })
  give(home, spool)
  writeFileSync(join(home.dataDir, TARGET_FILE), JSON.stringify(target), { mode: 0o600 })
  return spool
}

export const closeSpool = (home: Home): void => rmSync(join(home.dataDir, TARGET_FILE), { force: true })

/** Moves complete segments to the archive. A segment is deleted only when its encrypted copy is on disk. */
export async function emptySpool(home: Home): Promise<void> {
  const file = join(home.dataDir, TARGET_FILE)
  if (!existsSync(file)) return
  const { archive, recipient }: Target = JSON.parse(readFileSync(file, 'utf8'))
  const segments = readdirSync(spoolOf(home)).filter((name) => name.endsWith('.gz'))
  for (const name of segments.toSorted()) {
    const segment = join(spoolOf(home), name)
    await encryptFile(recipient, segment, join(archive, `${name}${ENCRYPTED}`)).catch(ignoreMoved)
    rmSync(segment, { force: true })
  }
}

/** A backup command and the process that runs PostgreSQL may move the same segment. The first one deletes it. */
function ignoreMoved(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

/** Empties the spool again and again until it is stopped. If that fails, the segments wait for the next attempt. */
export function keepSpoolEmpty(home: Home, log: (line: string) => void): { stop(): Promise<void> } {
  const ending = new AbortController()
  let lastProblem = ''
  /** Logs a problem once, not at every attempt. */
  async function empty(): Promise<void> {
    const problem = await emptySpool(home).then(
      () => '',
      (error: Error) => `WAL could not be encrypted and will be retried: ${error.message}`,
    )
    if (problem && problem !== lastProblem) log(problem)
    lastProblem = problem
  }
  async function keep(): Promise<void> {
    while (!ending.signal.aborted) {
      await empty()
      await sleep(REST_MS, undefined, ending).catch(() => {})
    }
    await empty()
  }
  const kept = keep()
  return {
    stop() {
      ending.abort()
      return kept
    },
  }
}
