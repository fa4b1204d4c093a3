import { sql } from 'kysely'
import { formatUsdt, type Usdt } from '../../../protocol/money.ts'
import type { Invariant } from '../../ledger/audit.ts'

/** The latest snapshot matches the ledger, its leaves sum to its total, and its root is in the audit chain. */
export const trustInvariants: Invariant[] = [
  {
    number: 25,
    name: 'The liability snapshot sums to the ledger',
    async check(tx) {
      const { rows } = await sql<{
        taken_on: string
        total: Usdt
        ledger_total: Usdt
        leaves: Usdt
        is_logged: boolean
      }>`
        select s.taken_on, s.total, s.ledger_total,
          (select coalesce(sum(balance), 0)::bigint from liability_leaves l, unnest(l.balances) balance
           where l.snapshot_id = s.id) as leaves,
          exists (select from audit_log where who = 'snapshot'
            and starts_with(what, 'liability snapshot: root ' || encode(s.root, 'hex') || ', ')) as is_logged
        from liability_snapshots s order by taken_at desc limit 1`.execute(tx)
      return rows.flatMap(({ taken_on, total, ledger_total, leaves, is_logged }) => [
        ...(total === ledger_total
          ? []
          : [`${taken_on}: the snapshot holds ${formatUsdt(total)}, but the ledger held ${formatUsdt(ledger_total)}`]),
        ...(total === leaves
          ? []
          : [`${taken_on}: the snapshot holds ${formatUsdt(total)}, but its leaves sum to ${formatUsdt(leaves)}`]),
        ...(is_logged ? [] : [`${taken_on}: the snapshot's root is not in the audit chain`]),
      ])
    },
  },
]
