import { CompiledQuery, type DatabaseConnection, PostgresDialect, PostgresDriver, type PostgresPool } from 'kysely'
import pg from 'pg'
import { AppError } from '../../protocol/errors.ts'

/*
 * Acknowledged means on two machines (R26), if the database replicates synchronously.
 *
 * PostgreSQL makes a commit wait for the standby only if the transaction has written WAL. A repeat writes nothing, so it
 * could return a stored reply that exists on the primary alone: after a crash, or after its connection was terminated
 * while the first commit was waiting. A failover would then lose what we had acknowledged. So every transaction writes a
 * WAL record. Its commit waits until the standby has that record, and with it everything the transaction has read.
 *
 * The record must be in the same transaction as the read. A second transaction could run on another server, after a
 * failover.
 */

/**
 * An SQL expression that writes an empty WAL record. `true` makes it part of the transaction: only a transaction with an
 * id waits for the standby. Without a synchronous standby nothing is written.
 */
export const WAIT_FOR_STANDBY = `
  case when current_setting('synchronous_standby_names') <> '' then pg_logical_emit_message(true, 'wellplay', '') end`

class WaitingDriver extends PostgresDriver {
  /** In one round trip. */
  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`select ${WAIT_FOR_STANDBY}; commit`))
  }

  /** On a lost connection there is nothing to roll back. The caller gets the error of the commit, not this one. */
  override async rollbackTransaction(connection: Parameters<PostgresDriver['rollbackTransaction']>[0]): Promise<void> {
    await super.rollbackTransaction(connection).catch(() => {})
  }
}

/** PostgreSQL, where every commit waits for the standby. */
export class WaitingDialect extends PostgresDialect {
  readonly #pool: PostgresPool

  constructor(pool: PostgresPool) {
    super({ pool })
    this.#pool = pool
  }

  override createDriver(): PostgresDriver {
    return new WaitingDriver({ pool: this.#pool })
  }
}

/** The change is committed on the primary, but perhaps not on the standby. A repeat with the same key finds out. */
export class OutcomeUnknown extends AppError {
  constructor() {
    const text = 'We could not confirm this yet. It may be done: check before you try again.'
    super('unavailable', text, undefined, RETRY_SECONDS)
    this.name = 'OutcomeUnknown'
  }
}

const RETRY_SECONDS = 2
/** The function of PostgreSQL that waits for the standby. Unlike the text of its warning, its name is never translated. */
const WAIT_ROUTINE = 'SyncRepWaitForLSN'

type Callback = (error: Error | null | undefined, result?: unknown) => void
type Send = (...query: unknown[]) => unknown

/**
 * A connection whose query fails with OutcomeUnknown if its commit did not wait for the standby to the end. PostgreSQL
 * reports a cancelled wait only as a warning and then returns success.
 */
export class WaitingClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    let isUnknown = false
    this.on('notice', ({ routine }) => {
      if (routine === WAIT_ROUTINE) isUnknown = true
    })
    const takeUnknown = (): OutcomeUnknown | undefined => {
      const error = isUnknown ? new OutcomeUnknown() : undefined
      isUnknown = false
      return error
    }
    this.query = failingQuery(super.query.bind(this) as Send, takeUnknown) as pg.Client['query']
  }
}

/** `pg` has two forms of a query: with a callback, which its pool uses, and with a promise. */
function failingQuery(send: Send, takeUnknown: () => OutcomeUnknown | undefined): Send {
  return (...query) => {
    const callback = query.at(-1)
    if (typeof callback === 'function') {
      const answer: Callback = (error, result) => (callback as Callback)(takeUnknown() ?? error, result)
      return send(...query.slice(0, -1), answer)
    }
    const sent = send(...query)
    if (!(sent instanceof Promise)) return sent
    return sent.then(
      (result) => {
        const error = takeUnknown()
        if (error) throw error
        return result
      },
      (error) => {
        throw takeUnknown() ?? error
      },
    )
  }
}
