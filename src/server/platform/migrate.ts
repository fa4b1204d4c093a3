import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { clientFor } from './database-hosts.ts'
import { connectionSettings } from './db.ts'
import { applyFunctions, createFunctionFilesTable, readFunctionFiles } from './function-files.ts'
import { setLimits } from './login-limits.ts'
import { checkServer, prepareRoles } from './roles.ts'
import { inTransaction, readSqlFile, runSqlFile, type SqlFile } from './sql-files.ts'
import { StartError } from './start-error.ts'
import { installTerms } from './terms.ts'

const FOLDER = fileURLToPath(new URL('../../../migrations/', import.meta.url))
const LOCK = 7_231_905
/** How long a migration tries to get its locks, and how long it waits for another process that migrates. */
const WAIT_MS_MAX = { locks: 60_000, otherProcess: 300_000 }
/** If the machine of a process that migrates disappears, its lock is released within half a minute. */
const KEEPALIVE = '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3'

/**
 * Migrates a database to this version, as its owner: first the numbered table files, forward only, then the function
 * files that changed, then the first version of the terms. Safe to run concurrently, and while the product is in use:
 * no one waits long for its locks. Returns the files it applied.
 */
export async function migrate(ownerUrl: string, folder = FOLDER, lockWaitMsMax = WAIT_MS_MAX.locks): Promise<string[]> {
  const client = new (clientFor(ownerUrl))({ ...connectionSettings(ownerUrl), options: KEEPALIVE })
  await client.connect()
  try {
    await lockMigrations(client)
    await checkServer(client)
    await prepareRoles(client)
    await setLimits(client)
    await client.query('grant usage on schema public to wellplay_app')
    await createOwnTables(client)
    const tableFiles = readTableFiles(folder)
    const functionFiles = readFunctionFiles(folder, tableFiles)
    const applied = await applyTables(client, tableFiles, lockWaitMsMax)
    applied.push(...(await applyFunctions(client, functionFiles, lockWaitMsMax)))
    await installTerms(client)
    return applied
  } finally {
    await client.end()
  }
}

/**
 * Why a process of this version cannot use a database: `missing` if migrating would help, `refused` if not. Any login of
 * ours may ask.
 */
export async function findSchemaMistakes(
  database: pg.Pool,
  folder = FOLDER,
): Promise<{ missing: string[]; refused: string[] }> {
  const tableFiles = readTableFiles(folder)
  const functionFiles = readFunctionFiles(folder, tableFiles)
  try {
    const tables = await database.query<Applied>('select name, sha256 from migrations order by name')
    const functions = await database.query<Applied>('select name, sha256 from function_files')
    checkHistory(tables.rows, tableFiles)
    const isDue = (file: SqlFile) =>
      !functions.rows.some(({ name, sha256 }) => name === file.name && sha256 === file.sha256)
    const due = [...tableFiles.slice(tables.rows.length), ...functionFiles.filter(isDue)].map(({ name }) => name)
    return { missing: due.length > 0 ? [notMigrated(due)] : [], refused: [] }
  } catch (error) {
    if (error instanceof StartError) return { missing: [], refused: [error.message] }
    if (!NO_TABLES.has((error as pg.DatabaseError).code ?? '')) throw error
    return { missing: [notMigrated(tableFiles.map(({ name }) => name))], refused: [] }
  }
}

/** There is no such table, or an earlier version did not let us read it. */
const NO_TABLES = new Set(['42P01', '42501'])

const notMigrated = (due: string[]): string =>
  `the database is not migrated to this version (${due[0]}${due.length > 1 ? ` and ${due.length - 1} more` : ''}). ` +
  'Run this first, with DATABASE_OWNER_URL: node src/server/main.ts migrate'

/** One process migrates at a time. Nobody else waits for this lock. */
async function lockMigrations(client: pg.Client): Promise<void> {
  await client.query(`set lock_timeout = ${WAIT_MS_MAX.otherProcess}`)
  await client.query('select pg_advisory_lock($1)', [LOCK]).catch((cause: Error) => {
    throw new StartError(
      'Another process has been migrating this database for five minutes. Try again when it is done.',
      {
        cause,
      },
    )
  })
}

function readTableFiles(folder: string): SqlFile[] {
  const names = readdirSync(folder)
    .filter((name) => /^\d{4}_\w+\.sql$/.test(name))
    .sort()
  const numbers = names.map((name) => name.slice(0, 4))
  const twice = numbers.find((number, at) => numbers[at + 1] === number)
  if (twice) throw new StartError(`Two migrations have the number ${twice}.`)
  return names.map((name) => readSqlFile(folder, name))
}

async function createOwnTables(client: pg.Client): Promise<void> {
  await client.query(`create table if not exists migrations (
    name text primary key, sha256 text not null, applied_at timestamptz not null default now())`)
  await client.query(createFunctionFilesTable)
  // Every process compares them with its own files when it starts. Names and hashes of our files are no secret.
  await client.query('grant select on migrations, function_files to public')
}

type Applied = { name: string; sha256: string }

/** Each file is applied once and must not be edited after that. */
async function applyTables(client: pg.Client, files: SqlFile[], lockWaitMsMax: number): Promise<string[]> {
  const { rows } = await client.query<Applied>('select name, sha256 from migrations order by name')
  checkHistory(rows, files)
  const fresh = files.slice(rows.length)
  for (const file of fresh) await inTransaction(client, lockWaitMsMax, () => applyTableFile(client, file))
  return fresh.map(({ name }) => name)
}

function checkHistory(applied: Applied[], files: SqlFile[]): void {
  for (const [at, { name, sha256 }] of applied.entries()) {
    const file = files.find((candidate) => candidate.name === name)
    if (!file)
      throw new StartError(
        `The database has the migration ${name}, which this version does not know. Update Wellplay first.`,
      )
    if (file.sha256 !== sha256) throw new StartError(`The migration ${name} was changed after it had been applied.`)
    if (files[at] !== file)
      throw new StartError(`The migration ${files[at]?.name} comes before ${name}, which is already applied.`)
  }
}

/**
 * The roles exist before the first file (roles.ts). A file from before that was so creates them as well, which fails
 * without the right to create roles even if they exist. This part of it is left out.
 */
const CREATES_ROLES = /^do \$\$(?:(?!^end \$\$;).)*create role.*?^end \$\$;$/ms

async function applyTableFile(client: pg.Client, file: SqlFile): Promise<void> {
  await runSqlFile(client, { ...file, text: file.text.replace(CREATES_ROLES, '') })
  await client.query('insert into migrations (name, sha256) values ($1, $2)', [file.name, file.sha256])
  // It may have dropped a function, a view or a table with triggers, so all function files are due again.
  await client.query(`update function_files set sha256 = ''`)
}
