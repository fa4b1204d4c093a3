import { sql } from 'kysely'
import { Gauge, Registry } from 'prom-client'
import type { Context } from '../context.ts'
import { readPools } from '../features/trust/summary.ts'
import { findLastAudit } from '../ledger/audit-runs.ts'

type Reader = Pick<Context, 'config' | 'db' | 'clock'>
/** `gauge` makes a gauge whose series have one label, or none. */
type Source = Reader & { gauge(name: string, help: string, label?: string): Gauge }
/** Reads some figures and sets their gauges. */
type Update = () => Promise<void>

/**
 * Figures about money that every API process reads from the database when it is asked for them, so that they are there
 * even when no worker runs. Several API processes export the same figures: a query takes their maximum.
 */
export function createFigures(context: Reader): { metrics(): Promise<string> } {
  const registry = new Registry()
  const registers = [registry]
  const gauge = (name: string, help: string, label?: string) =>
    new Gauge({ name, help, labelNames: label ? [label] : [], registers })
  const groups = [auditFigures, poolFigures, withdrawalFigures, queueFigures, depositFigures, rootFigures]
  if (context.config.colourRealMoney) groups.push(roundFigures)
  const updates = groups.map((group) => group({ ...context, gauge }))
  return {
    /** All figures or none: an old figure must not look like a new one. */
    async metrics() {
      await Promise.all(updates.map((update) => update()))
      return registry.metrics()
    },
  }
}

const OUTCOMES = ['held', 'broken', 'unchecked'] as const

function auditFigures({ db, clock, gauge }: Source): Update {
  const invariants = gauge(
    'wellplay_audit_invariants',
    'Invariants in the last audit, by outcome: held, broken, or unchecked (could not be checked)',
    'outcome',
  )
  const age = gauge(
    'wellplay_audit_complete_age_seconds',
    'Time since the last audit that could check every invariant; payouts pause if it is too long ago',
  )
  const halts = gauge('wellplay_halts', 'How many halts pause payouts and bets now')
  return async () => {
    const last = await findLastAudit(db)
    for (const outcome of OUTCOMES) invariants.set({ outcome }, last?.[outcome].length ?? 0)
    age.set(last?.completeAt ? (clock.now().getTime() - last.completeAt.getTime()) / 1000 : Number.NaN)
    halts.set((await db.selectFrom('halts').select('source').execute()).length)
  }
}

function poolFigures({ db, gauge }: Source): Update {
  const usdt = gauge('wellplay_pool_usdt', 'USDT in each pool', 'pool')
  const cover = gauge(
    'wellplay_pool_cover_days',
    'Whole days for which a pool can pay the active plans if nobody new joins; +Inf if there are none',
    'pool',
  )
  return async () => {
    for (const { name, balance, cover_days } of await readPools(db)) {
      usdt.set({ pool: name }, Number(balance) / 1e6)
      if (name === 'reward_pool' || name === 'health_pool')
        cover.set({ pool: name }, cover_days ?? Number.POSITIVE_INFINITY)
    }
  }
}

/** `waiting` ones wait for an operator, the others for the worker or the chain. */
const OPEN_STATES = ['requested', 'waiting', 'signed', 'sent'] as const

function withdrawalFigures({ db, gauge }: Source): Update {
  const count = gauge('wellplay_withdrawals', 'Withdrawals that are not paid yet, by state', 'state')
  const age = gauge(
    'wellplay_withdrawal_age_seconds',
    'How long the oldest withdrawal in each state has been in it',
    'state',
  )
  return async () => {
    const { rows } = await sql<{ state: string; items: number; seconds: number }>`
      select state, count(*)::int as items, extract(epoch from clock_timestamp() - min(changed_at))::float8 as seconds
      from withdrawals where state in ('requested', 'waiting', 'signed', 'sent') group by state`.execute(db)
    for (const state of OPEN_STATES) {
      const found = rows.find((row) => row.state === state)
      count.set({ state }, found?.items ?? 0)
      age.set({ state }, found?.seconds ?? 0)
    }
  }
}

function queueFigures({ db, gauge }: Source): Update {
  const items = gauge('wellplay_queue_items', 'Work that waits in the database, by queue', 'queue')
  const oldest = gauge('wellplay_queue_oldest_seconds', 'How long the oldest item of each queue has waited', 'queue')
  return async () => {
    // The rows without a time make sure that an empty queue is reported as empty.
    const { rows } = await sql<{ queue: string; depth: number; seconds: number }>`
      select queue, count(since)::int as depth,
        coalesce(extract(epoch from clock_timestamp() - min(since)), 0)::float8 as seconds
      from (
        select 'deposit_claims' as queue, claimed_at as since from chain_claims where state = 'waiting'
        union all
        select 'plan_orders', ordered_at from plan_orders
        where upline_completed_at is null or (fee > 0 and fee_completed_at is null)
        union all
        select 'colour_uplines', placed_at from colour_upline_queue join colour_bets on id = bet_id
        union all
        select 'deferred_rewards', earned_on from reward_deferrals where paid_by is null
        union all
        values ('deposit_claims', null::timestamptz), ('plan_orders', null), ('colour_uplines', null),
          ('deferred_rewards', null)
      ) waiting group by queue`.execute(db)
    for (const { queue, depth, seconds } of rows) {
      items.set({ queue }, depth)
      oldest.set({ queue }, seconds)
    }
  }
}

function depositFigures({ config, db, gauge }: Source): Update {
  const age = gauge('wellplay_deposits_read_age_seconds', 'Time since a worker last read a final block for deposits')
  return async () => {
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from clock_timestamp() - moved_at)::float8 as seconds
      from chain_cursor where chain_id = ${BigInt(config.chain.chainId)}`.execute(db)
    age.set(rows[0]?.seconds ?? Number.NaN)
  }
}

/** Endless if there are users but no root. Then nobody could leave without us. */
function rootFigures({ config, db, gauge }: Source): Update {
  const age = gauge('wellplay_root_age_seconds', 'Time since the balances of the last root in the vault were read')
  const every = gauge('wellplay_root_every_seconds', 'How often a root should be published (ROOT_EVERY_MINUTES)')
  return async () => {
    const { chainId, vault } = config.chain
    const { rows } = await sql<{ seconds: number | null; has_users: boolean }>`
      select extract(epoch from clock_timestamp() - max(taken_at))::float8 as seconds,
        exists (select from users) as has_users
      from liability_published where chain_id = ${chainId} and vault = ${vault}`.execute(db)
    const [last] = rows
    age.set(last?.seconds ?? (last?.has_users ? Number.POSITIVE_INFINITY : 0))
    every.set(config.rootEveryMinutes * 60)
  }
}

function roundFigures({ db, gauge }: Source): Update {
  const lag = gauge(
    'wellplay_round_lag_seconds',
    'How late the colour game is: time since the oldest unfinished round closed, or since a round should have opened',
  )
  return async () => {
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from greatest(
        clock_timestamp() - (select min(closes_at) from colour_rounds where state in ('open', 'drawn')),
        colour_opening(clock_timestamp()) - (select max(opens_at) from colour_rounds),
        interval '0'))::float8 as seconds`.execute(db)
    lag.set(rows[0]?.seconds ?? 0)
  }
}
