import { formatUsdt, parseUsdt, type Usdt } from '../../protocol/money.ts'
import type { OperatorAct } from '../../protocol/operators.ts'
import { requireFreeFees } from '../features/withdrawals/fees.ts'
import { type PoolKind, poolKinds, systemAccount } from '../ledger/accounts.ts'
import { collectFees, fundPool } from '../ledger/funding.ts'
import { lockAccounts } from '../ledger/post.ts'
import { type ActCommand, amountAt, type Ops, wordAt, wrong } from './command.ts'

const amountOf = (act: OperatorAct): Usdt => parseUsdt(act['amount'] ?? '')
const amountGiven = (ops: Ops, at: number) => ({ amount: formatUsdt(amountAt(ops, at)) })

function poolOf(name: string): PoolKind {
  const pool = poolKinds.find((kind) => kind === name)
  if (!pool) throw wrong(`There is no pool "${name}". The pools are: ${poolKinds.join(', ')}`)
  return pool
}

// The id of the act is the reference of its posting, so an act moves money once, and the audit finds it.
export const fund: ActCommand = {
  name: 'fund',
  takes: '<pool> <amount>',
  summary: "moves the operator's money into a pool",
  prepare: async (ops) => ({ pool: poolOf(wordAt(ops, 0, 'The pool')), ...amountGiven(ops, 1) }),
  async perform(tx, { act }) {
    const pool = poolOf(act['pool'] ?? '')
    await fundPool(tx, pool, { reference: act.id, amount: amountOf(act) })
    return `Added ${act['amount']} USDT to ${pool}.`
  },
}

const collect: ActCommand = {
  name: 'collect-fees',
  takes: '<amount>',
  summary: 'moves earned fees to the operator',
  prepare: async (ops) => amountGiven(ops, 0),
  async perform(tx, { act }) {
    const amount = amountOf(act)
    await lockAccounts(tx, [systemAccount('operator'), systemAccount('fees')])
    await requireFreeFees(tx, amount)
    await collectFees(tx, { reference: act.id, amount })
    return `Moved ${act['amount']} USDT of fees to the operator.`
  },
}

export const moneyCommands: ActCommand[] = [fund, collect]
