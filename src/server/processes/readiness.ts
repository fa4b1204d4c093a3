import { sql } from 'kysely'
import { readChainHead } from '../chain/client.ts'
import type { Context } from '../context.ts'
import { findHalt } from '../ledger/halt.ts'
import type { ReadinessCheck } from '../platform/health.ts'

/** A head older than this means that the node has lost its peers, or its miner. */
const HEAD_AGE_SECONDS_MAX = 60

/** What must work before this process may be sent requests (R21). */
export function readinessChecks({ db, chain, clock }: Context): ReadinessCheck[] {
  return [
    {
      name: 'database',
      async check() {
        const { rows } = await sql<{ off: string }>`select current_setting('transaction_read_only') as off`.execute(db)
        if (rows[0]?.off !== 'off') throw new Error('the database is read-only')
      },
    },
    {
      name: 'chain',
      async check() {
        const { timestamp } = await readChainHead(chain)
        const ageSeconds = Math.floor(clock.now().getTime() / 1000) - Number(timestamp)
        if (ageSeconds > HEAD_AGE_SECONDS_MAX) throw new Error(`the newest block is ${ageSeconds} seconds old`)
      },
    },
    {
      name: 'audit',
      async check() {
        const halted = await findHalt(db)
        if (halted) throw new Error(`payouts and bets are paused: ${halted.reason}`)
      },
    },
  ]
}
