import { sql } from 'kysely'
import { AppError } from '../../../protocol/errors.ts'
import { formatUsdt, larger, subtract, type Usdt, ZERO } from '../../../protocol/money.ts'
import { systemAccount } from '../../ledger/accounts.ts'
import { getBalance } from '../../ledger/balances.ts'
import type { Tx } from '../../platform/db.ts'

/**
 * Throws if `fees` cannot spare this amount. A refused or failed withdrawal returns its fee, so the fees of open
 * withdrawals may not be spent. Call it after locking `fees`.
 */
export async function requireFreeFees(tx: Tx, amount: Usdt): Promise<void> {
  const { rows } = await sql<{ open: Usdt }>`
    select coalesce(sum(fee), 0)::bigint as open from withdrawals
    where state in ('requested', 'waiting', 'signed', 'sent')`.execute(tx)
  const fees = await getBalance(tx, systemAccount('fees'))
  const free = larger(ZERO, subtract(fees, rows[0]?.open ?? ZERO))
  if (amount > free)
    throw new AppError('insufficient_balance', `Only ${formatUsdt(free)} USDT of fees can be collected now`)
}
