/**
 * Whether the database could not be used at this moment: it is down, unreachable, shutting down, a standby, or it does
 * not answer. The same call may succeed a little later, so it is answered with 503 and not with 500.
 */
export function isUnavailable(thrown: unknown): boolean {
  const { code = '', message = '' } = thrown as { code?: unknown; message?: string }
  return code ? CODES.test(String(code)) : MESSAGES.has(message)
}

/**
 * Node: refused, reset, unreachable or unknown host, no answer. PostgreSQL: connection exceptions (08), a read-only server
 * (25006), a transaction that was idle for too long (25P03), too many connections (53300), shutting down or starting (57P).
 */
const CODES =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN|08\w{3}|25006|25P03|53300|57P0[1-5])$/

/** pg throws these without a code. */
const MESSAGES = new Set([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
  'Query read timeout',
  'timeout expired',
])
