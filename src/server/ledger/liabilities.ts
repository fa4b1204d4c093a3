import { sql } from 'kysely'
import { add, type Usdt } from '../../protocol/money.ts'
import type { Db } from '../platform/db.ts'
import { type AccountKind, type SystemAccountKind, userAccountKinds } from './accounts.ts'

/** Users' money outside their own accounts: the stakes of open rounds, and withdrawals that are not paid yet. */
const held = ['bet_escrow', 'payout_pending'] as const satisfies SystemAccountKind[]

export type Liabilities = { total: Usdt; parts: { kind: AccountKind; amount: Usdt }[]; measuredAt: Date }

/**
 * Everything users are owed, by kind of account. One statement, so that money which moves meanwhile, such as a new
 * stake, is counted once. The audit (invariant 6) and the trust page both use this.
 */
export async function readLiabilities(db: Db): Promise<Liabilities> {
  const kinds = [...userAccountKinds, ...held]
  const { rows } = await sql<{ kind: AccountKind; amount: Usdt; measured_at: Date }>`
    select k.name as kind, coalesce(sum(a.balance), 0)::bigint as amount, statement_timestamp() as measured_at
    from ledger_account_kinds k left join ledger_accounts a on ledger_account_kind(a.id) = k.code
    where k.name = any(${kinds}) group by k.code, k.name order by k.code`.execute(db)
  if (!rows[0] || rows.length !== kinds.length) throw new Error('Some kinds of accounts are unknown')
  const parts = rows.map(({ kind, amount }) => ({ kind, amount }))
  return { total: add(...parts.map(({ amount }) => amount)), parts, measuredAt: rows[0].measured_at }
}
