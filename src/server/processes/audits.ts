import type { Context } from '../context.ts'
import { type AuditReport, auditAndHalt, createAuditor, withOutcome } from '../ledger/audit.ts'
import { AUDIT_AGE_MINUTES_MAX } from '../ledger/audit-runs.ts'
import { allInvariants } from '../operators/invariants.ts'
import { MINUTE_MS } from '../platform/jobs.ts'

/** A withdrawal needs an audit that read it before it is paid. This is the shortest time between two of them. */
const PAYOUT_AUDIT_REST_MS = 5_000
/** Payouts pause after this time without a complete audit. From then on, what can be checked is checked. */
const CATCH_UP_MS_MAX = AUDIT_AGE_MINUTES_MAX * MINUTE_MS

export type Audits = ReturnType<typeof createAudits>

/**
 * The audits of one worker. After a restart the watcher goes first: an audit that cannot ask the chain yet would publish
 * only that. Until then nothing is paid either, and another worker may audit.
 */
export function createAudits(context: Context) {
  const { clock } = context
  const started = clock.now().getTime()
  let isCaughtUp = false
  const isReady = () => isCaughtUp || clock.now().getTime() - started > CATCH_UP_MS_MAX
  const auditor = createAuditor(() => auditBooks(context), PAYOUT_AUDIT_REST_MS)
  return {
    /** Call when all payments that became final while no worker was running are booked. */
    setCaughtUp(): void {
      isCaughtUp = true
    },
    isReady,
    run: auditor.run,
    passes: async () => isReady() && (await auditor.passes()),
  }
}

async function auditBooks({ db, chain, log }: Context): Promise<AuditReport> {
  const report = await auditAndHalt(db, allInvariants(chain))
  const [broken, unchecked] = [withOutcome(report, 'broken'), withOutcome(report, 'unchecked')]
  if (broken.length > 0) log.error({ broken }, 'the audit found broken invariants')
  if (unchecked.length > 0) log.warn({ unchecked }, 'the audit could not check every invariant')
  return report
}
