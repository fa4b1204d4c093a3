import type pg from 'pg'
import { StartError } from './start-error.ts'

/** The roles of our processes. Those that read tables get this right as members of `wellplay_app`. */
const READERS = ['wellplay_api', 'wellplay_worker', 'wellplay_operator']
const ROLES = ['wellplay_app', ...READERS, 'wellplay_seeds']

const INSUFFICIENT_PRIVILEGE = '42501'
/** Roles belong to the whole server: the migration of another database may create the same one at this moment. */
const CREATED_MEANWHILE = new Set(['42710', '23505'])

/**
 * Creates the roles and memberships that are missing. An owner without the right to do so, as on a managed database,
 * uses roles that an administrator made: the error lists the statements that the administrator must run.
 */
export async function prepareRoles(client: pg.Client): Promise<void> {
  const left: string[] = []
  for (const statement of await listMissing(client)) if (!(await mayRun(client, statement))) left.push(statement)
  if (left.length === 0) return
  throw new StartError(
    `The login ${client.user} may not create the roles of Wellplay. Run these statements as an administrator of the database server, then start again:\n${left.map((line) => `  ${line};`).join('\n')}`,
  )
}

async function listMissing(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ role: string }>(
    'select rolname as role from pg_roles where rolname = any ($1)',
    [ROLES],
  )
  const known = rows.map(({ role }) => role)
  const members = await client.query<{ role: string }>(
    `select member::regrole::text as role from pg_auth_members
     where roleid = (select oid from pg_roles where rolname = 'wellplay_app')`,
  )
  const readers = members.rows.map(({ role }) => role)
  return [
    ...ROLES.filter((role) => !known.includes(role)).map((role) => `create role ${role} nologin`),
    ...READERS.filter((role) => !readers.includes(role)).map((role) => `grant wellplay_app to ${role}`),
  ]
}

async function mayRun(client: pg.Client, statement: string): Promise<boolean> {
  try {
    await client.query(statement)
    return true
  } catch (error) {
    const { code = '' } = error as { code?: string }
    if (CREATED_MEANWHILE.has(code)) return true
    // A membership cannot be granted before its roles exist: undefined_object.
    if (code === INSUFFICIENT_PRIVILEGE || code === '42704') return false
    throw error
  }
}

export const MAJOR_MIN = 15
export const tooOld = (major: number): string =>
  `The database server runs PostgreSQL ${major}. Wellplay needs version ${MAJOR_MIN} or newer.`

/** Ends a migration that cannot succeed with one sentence, before anything is changed. */
export async function checkServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<Server>(`
    select current_setting('server_version_num')::int as version, current_database() as database,
      pg_is_in_recovery() as is_standby,
      has_schema_privilege('public', 'create') as may_create`)
  const [server] = rows
  const refusal = server && refusalOf(server, client.user ?? '')
  if (refusal) throw new StartError(refusal)
}

type Server = { version: number; database: string; is_standby: boolean; may_create: boolean }

function refusalOf({ version, database, is_standby, may_create }: Server, login: string): string | undefined {
  const major = Math.floor(version / 10_000)
  if (major < MAJOR_MIN) return tooOld(major)
  if (is_standby) return 'The database server is a standby, which cannot be migrated. Use the address of the primary.'
  if (may_create) return undefined
  return `The login ${login} may not create tables in the database ${database}. Make it the owner: alter database ${database} owner to ${login};`
}
