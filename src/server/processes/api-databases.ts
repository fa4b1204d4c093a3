import type { Route } from '../../protocol/route.ts'
import type { Context } from '../context.ts'
import { createDb, createPool, type Db } from '../platform/db.ts'
import { STATEMENT_MS_MAX as LOGIN_STATEMENT_MS_MAX } from '../platform/login-limits.ts'
import { apiPools } from '../platform/pool-sizes.ts'

/**
 * How long a statement of each class may run. A slow one is cancelled, its transaction is undone, and the caller gets
 * 503. Waiting for a lock counts too.
 */
export const STATEMENT_MS_MAX = { public: 2_000, read: 5_000, money: LOGIN_STATEMENT_MS_MAX.api } as const

type DatabaseClass = keyof typeof STATEMENT_MS_MAX

/**
 * Calls that anyone can make and reads have their own connections. However many of them arrive, calls that move money
 * do not wait behind them, and users do not wait behind visitors.
 */
export function openDatabases({ config, db }: Context) {
  const sizes = apiPools(config.databaseConnections)
  const open = (name: 'public' | 'read'): Db => {
    const options = { name, statementMs: STATEMENT_MS_MAX[name], isPooled: config.isPooled }
    return createDb(createPool(config.databaseUrl, sizes[name], options))
  }
  const databases: Record<DatabaseClass, Db> = { money: db, read: open('read'), public: open('public') }
  return {
    of: (route: Route): Db => databases[classOf(route)],
    async close(): Promise<void> {
      await Promise.all([databases.read.destroy(), databases.public.destroy()])
    },
  }
}

function classOf({ auth, changes, limit }: Route): DatabaseClass {
  const signsIn = auth === 'none' && limit === 'auth'
  if (changes || signsIn) return 'money'
  return auth === 'none' ? 'public' : 'read'
}
