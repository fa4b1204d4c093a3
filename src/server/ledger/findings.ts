import { randomInt } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../platform/db.ts'

export type Findings = RawBuilder<{ finding: string }>
export type Salt = RawBuilder<bigint>

const NAMED_MAX = 10

/** The first few findings of a query, one sentence each. */
export async function listFindings(tx: Tx, findings: Findings): Promise<string[]> {
  const { rows } = await sql<{ finding: string }>`${findings} limit ${NAMED_MAX}`.execute(tx)
  return rows.map(({ finding }) => finding)
}

/**
 * The entries of one kind of posting on one kind of user account. The last four bits of an account id are its kind, and
 * system accounts have higher ids than all user accounts.
 */
export const entriesOf = (kind: string, account: string) => sql`
  select reference, account_id / 16 as user_number, amount from ledger_entries
  where kind = ${kind}::ledger_kind and account_id < ledger_custody()
    and account_id & 15 = (select code from ledger_account_kinds where name = ${account})`

/**
 * Grouping a million entries is slow; summing them is fast. So a screen first compares sums in which every posting, or
 * every link of an account's chain, has a random weight or hash. Intact books always pass. Broken books pass with a
 * probability of one in two billion, and each audit draws a new salt. Only a failed screen runs the slow query that
 * finds the wrong rows.
 */
export async function screened(
  tx: Tx,
  screen: (salt: Salt) => RawBuilder<unknown>,
  findings: Findings,
  restrict: <Row>(query: RawBuilder<Row>) => RawBuilder<Row>,
): Promise<string[]> {
  const screening = sql<{ holds: boolean }>`select ${screen(sql`${randomInt(2 ** 47)}::bigint`)} as holds`
  const { rows } = await restrict(screening).execute(tx)
  if (rows[0]?.holds) return []
  const found = await listFindings(tx, restrict(findings))
  return found.length > 0 ? found : ['the sums differ, but the wrong rows were not found']
}
