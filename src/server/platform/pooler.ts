import type pg from 'pg'
import { limitStatements } from './login-limits.ts'
import { WaitingClient } from './standby.ts'

/*
 * DATABASE_URL may lead to a connection pooler in transaction mode, such as PgBouncer: each transaction gets another
 * session of the server. Whatever needs one session for longer uses DATABASE_LISTEN_URL instead: LISTEN, and the
 * advisory locks of the schedule.
 */

type Send = (query: unknown, ...rest: unknown[]) => unknown

/** A connection to a pooler. A statement prepared by name would be missing in the next session, so names are left out. */
export class PooledClient extends WaitingClient {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    const send = this.query.bind(this) as Send
    const sendUnnamed: Send = (query, ...rest) => send(withoutName(query), ...rest)
    this.query = sendUnnamed as pg.Client['query']
  }
}

function withoutName(query: unknown): unknown {
  if (typeof query !== 'object' || query === null || !('name' in query)) return query
  const { name: _, ...rest } = query
  return rest
}

/** The answers of a server to a process that starts. */
type Server = { pid: number; login: string; database: string; has_limits: boolean }

const QUESTION = `
  select pg_backend_pid() as pid, quote_ident(current_user) as login, quote_ident(current_database()) as database,
    current_setting('statement_timeout') <> '0' and current_setting('idle_in_transaction_session_timeout') <> '0'
      as has_limits`

/** What the check needs to know about a connection that was opened without limits of ours. */
export async function askServer(client: pg.ClientBase): Promise<Server & { isPooler: boolean }> {
  const { rows } = await client.query<Server>(QUESTION)
  const [server] = rows
  if (!server) throw new Error('no row')
  // A server sends its process id when a connection opens. A pooler sends a number of its own.
  const { processID } = client as unknown as { processID: number }
  return { ...server, isPooler: processID !== server.pid }
}

export const needsListenUrl = (setting: string): string =>
  `${setting}: a connection pooler such as PgBouncer answers here. Set DATABASE_LISTEN_URL too, with an address of the ` +
  'database server itself.'

export const needsServer = (setting: string): string =>
  `${setting}: a connection pooler such as PgBouncer answers here. This setting needs an address of the database server ` +
  'itself.'

export const needsLimits = (setting: string, { login, database }: Server, statementMs: number): string =>
  `${setting}: the login ${login} has no time limits, and a connection pooler does not pass ours on. Run as an ` +
  `administrator of the database server: ${limitStatements(login, database, statementMs).join('; ')};`
