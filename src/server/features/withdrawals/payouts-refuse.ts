import { halt } from '../../ledger/halt.ts'
import { transaction } from '../../platform/db.ts'
import type { Payer } from './payouts.ts'
import type { Fault } from './verify.ts'

/** Rolls back the transaction in which a payout failed verification. */
export class RefusedPayout extends Error {
  readonly fault: Fault

  constructor(fault: Fault) {
    super(fault.problem)
    this.fault = fault
  }
}

export function faultOf(error: unknown): Fault {
  if (error instanceof RefusedPayout) return error.fault
  throw error
}

/** A withdrawal that fails verification means that someone wrote to our tables: no payout leaves until it is clear. */
export async function haltFor({ db, log }: Pick<Payer, 'db' | 'log'>, { id, problem }: Fault): Promise<void> {
  log.error({ withdrawal: id, problem }, 'a withdrawal failed verification, payouts are halted')
  await transaction(db, (tx) => halt(tx, 'payouts', `Withdrawal ${id} ${problem}`))
}
