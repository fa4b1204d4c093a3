import type { Usdt } from '../../protocol/money.ts'
import type { Tx } from '../platform/db.ts'
import { type PoolKind, systemAccount } from './accounts.ts'
import { post } from './post.ts'
import type { Posted } from './posting.ts'

/** What moves the operator's money: `reference` is the payment on chain, or the act that operators signed. */
type Cause = { reference: string; amount: Usdt }

/** Credits a payment by the operator that the caller has proven on chain. */
export const creditOperator = (tx: Tx, { reference, amount }: Cause): Promise<Posted> =>
  post(tx, {
    kind: 'operator_deposit',
    reference,
    movements: [{ from: systemAccount('custody'), to: systemAccount('operator'), amount }],
  })

/** The only way to fund a pool. The house also receives lost stakes. */
export const fundPool = (tx: Tx, pool: PoolKind, { reference, amount }: Cause): Promise<Posted> =>
  post(tx, {
    kind: 'pool_funding',
    reference,
    movements: [{ from: systemAccount('operator'), to: systemAccount(pool), amount }],
  })

/** Moves earned fees to the operator's account. */
export const collectFees = (tx: Tx, { reference, amount }: Cause): Promise<Posted> =>
  post(tx, {
    kind: 'fee_collection',
    reference,
    movements: [{ from: systemAccount('fees'), to: systemAccount('operator'), amount }],
  })
