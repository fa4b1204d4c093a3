import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { inTransaction, readSqlFile, runSqlFile, type SqlFile } from './sql-files.ts'
import { StartError } from './start-error.ts'

const FOLDER = 'functions'
/**
 * `create or replace` cannot change a return type or the name of a parameter (42P13) or the columns of a view (42P16).
 * If the parameters of a function change, other objects may still depend on the old function (2BP01).
 */
const CANNOT_REPLACE = new Set(['42P13', '42P16', '2BP01'])

/**
 * `functions/users.sql` and `functions/users_….sql` belong to the tables of `0004_users.sql`. They are applied in the
 * same order, so a function can use functions of earlier modules.
 */
export function readFunctionFiles(folder: string, tableFiles: SqlFile[]): SqlFile[] {
  if (!existsSync(join(folder, FOLDER))) return []
  const modules = tableFiles.map(({ name }) => name.replace(/^\d+_|\.sql$/g, ''))
  const placed = readdirSync(join(folder, FOLDER))
    .filter((file) => file.endsWith('.sql'))
    .map((file) => {
      const place = modules.findIndex((module) => file === `${module}.sql` || file.startsWith(`${module}_`))
      if (place < 0) throw new StartError(`${FOLDER}/${file} has no table file with the same name.`)
      return { name: `${FOLDER}/${file}`, place }
    })
  // `ledger.sql` before `ledger_audit.sql`: a dot sorts before an underscore.
  placed.sort((a, b) => a.place - b.place || (a.name < b.name ? -1 : 1))
  return placed.map(({ name }) => readSqlFile(folder, name))
}

/** `defines` lists the objects a file created, so that they can be dropped when the file no longer defines them. */
export const createFunctionFilesTable = `create table if not exists function_files (
  name text primary key, sha256 text not null, defines text[] not null, applied_at timestamptz not null default now())`

type Applied = { name: string; sha256: string; defines: string[] }

/**
 * Updates functions, triggers and views to match their files: a changed file is applied again, and objects that no file
 * defines any more are dropped. All in one transaction, so other connections never see half of a change.
 */
export async function applyFunctions(client: pg.Client, files: SqlFile[], lockWaitMsMax: number): Promise<string[]> {
  const applied = await listApplied(client)
  const changed = files.filter(({ name, sha256 }) => !applied.some((row) => row.name === name && row.sha256 === sha256))
  const removed = applied.filter(({ name }) => !files.some((file) => file.name === name))
  if (changed.length + removed.length === 0) return []
  try {
    await inTransaction(client, lockWaitMsMax, () => replaceFiles(client, changed, files))
    return changed.map(({ name }) => name)
  } catch (error) {
    if (!CANNOT_REPLACE.has(((error as Error).cause as { code?: string } | undefined)?.code ?? '')) throw error
  }
  // Fallback: drop everything and create it again. This also blocks reads of the tables, so it is not the first choice.
  await inTransaction(client, lockWaitMsMax, async () => {
    const objects = await listObjects(client)
    await lockForDrop(client, objects)
    await dropObjects(client, objects)
    await replaceFiles(client, files, files)
  })
  return files.map(({ name }) => name)
}

async function listApplied(client: pg.Client): Promise<Applied[]> {
  return (await client.query<Applied>('select name, sha256, defines from function_files')).rows
}

const listObjects = async (client: pg.Client) => (await listApplied(client)).flatMap(({ defines }) => defines)

async function replaceFiles(client: pg.Client, due: SqlFile[], files: SqlFile[]): Promise<void> {
  const before = await listObjects(client)
  for (const file of due) {
    const earlier = await listWritten(client)
    await runSqlFile(client, file)
    const defines = (await listWritten(client)).filter((object) => !earlier.includes(object))
    await client.query(
      `insert into function_files (name, sha256, defines) values ($1, $2, $3)
      on conflict (name) do update set sha256 = excluded.sha256, defines = excluded.defines, applied_at = now()`,
      [file.name, file.sha256, defines],
    )
  }
  await client.query('delete from function_files where name <> all ($1)', [files.map(({ name }) => name)])
  const after = await listObjects(client)
  const leftOver = before.filter((object) => !after.includes(object))
  await dropObjects(client, leftOver)
}

/** Objects that this transaction has created or replaced: the xmin of their catalog rows is its transaction id. */
async function listWritten(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ object: string }>(`
    select format('routine %s', oid::regprocedure) as object from pg_proc
    where xmin = pg_current_xact_id()::xid and pronamespace = 'public'::regnamespace
    union all
    select format('trigger %I on %s', tgname, tgrelid::regclass) from pg_trigger
    where xmin = pg_current_xact_id()::xid and not tgisinternal
    union all
    select format('view %s', oid::regclass) from pg_class where relkind = 'v' and relnamespace = 'public'::regnamespace
      and oid in (select ev_class from pg_rewrite where xmin = pg_current_xact_id()::xid)`)
  return rows.map(({ object }) => object)
}

/** How long readers may wait until all tables are locked. After that no statement has to wait. */
const LOCK_ALL_MS_MAX = 2_000

/** One statement locks all tables with triggers and all views, so that one timeout limits how long that takes. */
async function lockForDrop(client: pg.Client, objects: string[]): Promise<void> {
  const names = objects.flatMap((object) => /^(?:trigger \S+ on|view) (\S+)$/.exec(object)?.[1] ?? [])
  const relations = [...new Set(names)].sort().join()
  if (!relations) return
  await client.query(`set local statement_timeout = ${LOCK_ALL_MS_MAX}`)
  await client.query(`lock table ${relations} in access exclusive mode`)
  await client.query('set local statement_timeout = 0')
}

// No `cascade`: it would also drop objects that belong to no function file, such as constraints.
async function dropObjects(client: pg.Client, objects: string[]): Promise<void> {
  const namesOf = (kind: string) => objects.filter((object) => object.startsWith(kind)).map((o) => o.slice(kind.length))
  const [views, routines] = [namesOf('view ').join(), namesOf('routine ').join()]
  try {
    for (const trigger of namesOf('trigger ')) await client.query(`drop trigger if exists ${trigger}`)
    if (views) await client.query(`drop view if exists ${views}`)
    if (routines) await client.query(`drop routine if exists ${routines}`)
  } catch (cause) {
    const { message, detail = message } = cause as pg.DatabaseError
    throw new StartError(`A function of an earlier version is still used: ${detail.split('\n')[0]}.`, { cause })
  }
}
