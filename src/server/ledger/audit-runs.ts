import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'

/**
 * `completeAt`: the last run that could check every invariant; null if none could. `seal`: the newest hash over all sealed
 * history. Whoever keeps one can later ask for a proof that history still begins with it.
 */
export type AuditRun = {
  at: Date
  held: number[]
  broken: number[]
  unchecked: number[]
  completeAt: Date | null
  seal: { number: number; hash: string } | null
}

/** The result of the last audit; undefined before the first. */
export async function findLastAudit(db: Db): Promise<AuditRun | undefined> {
  const runs = db.selectFrom('audit_runs').orderBy('at', 'desc').limit(1)
  const last = await runs.selectAll().executeTakeFirst()
  if (!last) return undefined
  const complete = await runs.select('at').where(sql<boolean>`unchecked = '{}'`).executeTakeFirst()
  const newest = await db.selectFrom('ledger_seals').select(['id', 'hash']).orderBy('id', 'desc').executeTakeFirst()
  const seal = newest ? { number: Number(newest.id), hash: newest.hash.toString('hex') } : null
  return { ...last, completeAt: complete?.at ?? null, seal }
}

/** Payouts are paused while the last audit that could check everything is older than this. */
export const AUDIT_AGE_MINUTES_MAX = 5

/**
 * Set if the last complete audit is too old, which pauses payouts (R25). Computed where payouts are signed instead of
 * stored as a halt: it works even if the process that audits is down, and ends when a complete audit is stored. A
 * database without any audit is new: its first audit runs within a minute.
 */
export async function findStaleAudit(db: Db): Promise<{ since: Date } | undefined> {
  const { rows } = await sql<{ since: Date }>`
    select since from (select coalesce(
        (select at from audit_runs where unchecked = '{}' order by at desc limit 1),
        (select min(at) from audit_runs)) as since) audit
    where since < clock_timestamp() - ${AUDIT_AGE_MINUTES_MAX} * interval '1 minute'`.execute(db)
  return rows[0]
}
