import { formatUsdt, type Usdt } from '../../protocol/money.ts'
import type { Tx } from '../platform/db.ts'
import { type PoolKind, systemAccount } from './accounts.ts'
import { recordAction } from './audit-log.ts'
import { post } from './post.ts'
import type { Posted } from './posting.ts'

/** Who moves the operator's money, and why. Written to the audit log. */
export type Decision = { reference: string; amount: Usdt; who: string; why: string }

/** Credits a payment by the operator that the caller has proven on chain. `reference` is the id of that payment. */
export const creditOperator = (
  tx: Tx,
  { reference, amount }: Pick<Decision, 'reference' | 'amount'>,
): Promise<Posted> =>
  post(tx, {
    kind: 'operator_deposit',
    reference,
    movements: [{ from: systemAccount('custody'), to: systemAccount('operator'), amount }],
  })

/** The only way to fund a pool. The house also receives lost stakes. */
export async function fundPool(tx: Tx, pool: PoolKind, { reference, amount, who, why }: Decision): Promise<Posted> {
  const movements = [{ from: systemAccount('operator'), to: systemAccount(pool), amount }]
  const posted = await post(tx, { kind: 'pool_funding', reference, movements })
  if (!posted.repeated) await recordAction(tx, { who, what: `fund ${pool} with ${formatUsdt(amount)} USDT`, why })
  return posted
}

/** Moves earned fees to the operator's account. */
export async function collectFees(tx: Tx, { reference, amount, who, why }: Decision): Promise<Posted> {
  const movements = [{ from: systemAccount('fees'), to: systemAccount('operator'), amount }]
  const posted = await post(tx, { kind: 'fee_collection', reference, movements })
  if (!posted.repeated) await recordAction(tx, { who, what: `collect ${formatUsdt(amount)} USDT of fees`, why })
  return posted
}
