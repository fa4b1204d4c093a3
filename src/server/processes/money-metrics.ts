import { Gauge, Registry } from 'prom-client'
import type { Context } from '../context.ts'
import { findLastAudit } from '../ledger/audit-runs.ts'

const OUTCOMES = ['held', 'broken', 'unchecked'] as const

/** Figures that are read from the database when they are asked for: outcomes and age of the last audit, and halts. */
export function createMoneyMetrics({ db, clock }: Pick<Context, 'db' | 'clock'>): Registry {
  const registry = new Registry()
  const registers = [registry]
  new Gauge({
    name: 'wellplay_audit_invariants',
    help: 'Invariants in the last audit, by outcome: held, broken, or unchecked (could not be checked)',
    labelNames: ['outcome'],
    registers,
    async collect() {
      const last = await findLastAudit(db)
      for (const outcome of OUTCOMES) this.set({ outcome }, last?.[outcome].length ?? 0)
    },
  })
  new Gauge({
    name: 'wellplay_audit_complete_age_seconds',
    help: 'Time since the last audit that could check every invariant; payouts pause if it is too long ago',
    registers,
    async collect() {
      const completeAt = (await findLastAudit(db))?.completeAt
      this.set(completeAt ? (clock.now().getTime() - completeAt.getTime()) / 1000 : Number.NaN)
    },
  })
  new Gauge({
    name: 'wellplay_halts',
    help: 'How many halts pause payouts and bets now',
    registers,
    async collect() {
      this.set((await db.selectFrom('halts').select('source').execute()).length)
    },
  })
  return registry
}
