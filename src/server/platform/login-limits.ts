import type pg from 'pg'

/**
 * How long the statements of each login may run. A connection asks for its limits when it opens, and some of those are
 * shorter. A connection pooler does not pass them on: then the limits of the login apply.
 */
export const STATEMENT_MS_MAX = {
  api: 10_000,
  /** Jobs may read all rows of a table. */
  worker: 120_000,
  /** A round must not wait for a lost connection. */
  seeds: 10_000,
  operator: 120_000,
} as const

const LOCK_MS_MAX = 10_000
const IDLE_IN_TRANSACTION_MS_MAX = 30_000

/** PostgreSQL's settings, in milliseconds, for a connection whose statements may run for so long. */
export const limitsOf = (statementMs: number): Record<string, number> => ({
  statement_timeout: statementMs,
  // Within a shorter statement timeout, the statement's limit applies to locks too.
  ...(statementMs > LOCK_MS_MAX && { lock_timeout: LOCK_MS_MAX }),
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS_MAX,
})

/** The statements that give a login its limits in one database. Both names must be quoted. */
export const limitStatements = (login: string, database: string, statementMs: number): string[] =>
  Object.entries(limitsOf(statementMs)).map(
    ([name, ms]) => `alter role ${login} in database ${database} set ${name} = ${ms}`,
  )

const INSUFFICIENT_PRIVILEGE = '42501'

/**
 * Gives the roles their limits in this database. An owner who may not do that leaves them as they are: only a process
 * that uses a connection pooler needs them, and it checks them when it starts.
 */
export async function setLimits(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ role: string; known: string[]; database: string }>(
    `select rolname as role, coalesce(setconfig, '{}') as known, quote_ident(datname) as database
     from pg_database cross join pg_roles
       left join pg_db_role_setting on setdatabase = pg_database.oid and setrole = pg_roles.oid
     where datname = current_database() and rolname = any ($1)`,
    [Object.keys(STATEMENT_MS_MAX).map((name) => `wellplay_${name}`)],
  )
  for (const { role, known, database } of rows) {
    const statementMs = STATEMENT_MS_MAX[role.replace('wellplay_', '') as keyof typeof STATEMENT_MS_MAX]
    const isSet = Object.entries(limitsOf(statementMs)).every(([name, ms]) => known.includes(`${name}=${ms}`))
    if (!isSet)
      for (const statement of limitStatements(role, database, statementMs)) await runIfAllowed(client, statement)
  }
}

async function runIfAllowed(client: pg.Client, statement: string): Promise<void> {
  await client.query(statement).catch((error: { code?: string }) => {
    if (error.code !== INSUFFICIENT_PRIVILEGE) throw error
  })
}
