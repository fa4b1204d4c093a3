import { sql } from 'kysely'
import { formatUsdt, type Usdt } from '../../protocol/money.ts'
import { terms } from '../../protocol/terms.ts'
import { claimDeposit } from '../chain/deposits/claims.ts'
import type { Context } from '../context.ts'
import { requireFreeFees } from '../features/withdrawals/fees.ts'
import { type PoolKind, poolKinds, systemAccount } from '../ledger/accounts.ts'
import { recordAction } from '../ledger/audit-log.ts'
import { collectFees, fundPool } from '../ledger/funding.ts'
import { lockAccounts } from '../ledger/post.ts'
import { newId, type Tx, transaction } from '../platform/db.ts'
import { answering } from './answering.ts'
import { amountAt, type Command, type Operator, type Ops, operatorOf, table, wordAt, wrong } from './command.ts'
import type { ActName } from './tables.ts'
import { type Adoption, performAdoption, prepareAdoption } from './treasury-commands.ts'

type Act = { id: string; name: ActName; amount: Usdt; details: Record<string, string> }

/**
 * Performs the action, or stores a request for a second operator if the amount is above the limit. An adoption always
 * needs a second operator.
 */
async function act({ context }: Ops, { name, amount, details }: Omit<Act, 'id'>, operator: Operator): Promise<string> {
  const id = newId()
  return transaction(context.db, async (tx) => {
    const isAlone = amount <= terms.operatorApprovalAbove && name !== 'adopt'
    if (isAlone) return perform(tx, context, { id, name, amount, details }, operator)
    const { who, why } = operator
    await tx
      .insertInto('operator_requests')
      .values({ id, act: name, amount, details: JSON.stringify(details), asked_by: who, why })
      .execute()
    await recordAction(tx, { who, what: `request to ${name} ${formatUsdt(amount)} USDT`, why })
    const limit = `Above ${formatUsdt(terms.operatorApprovalAbove)} USDT, a`
    return `${name === 'adopt' ? 'A' : limit} second operator must approve:\n  npm run ops -- approve ${id} --as NAME --why TEXT`
  })
}

async function perform(tx: Tx, context: Context, { id, name, amount, details }: Act, operator: Operator) {
  const decision = { reference: id, amount, ...operator }
  if (name === 'fund') {
    await fundPool(tx, poolOf(details['pool'] ?? ''), decision)
    return `Added ${formatUsdt(amount)} USDT to ${details['pool']}.`
  }
  if (name === 'collect-fees') {
    await lockAccounts(tx, [systemAccount('operator'), systemAccount('fees')])
    await requireFreeFees(tx, amount)
    await collectFees(tx, decision)
    return `Moved ${formatUsdt(amount)} USDT of fees to the operator.`
  }
  if (name === 'adopt') return performAdoption(tx, context, details as Adoption, operator)
  const txHash = (details['hash'] ?? '') as `0x${string}`
  await claimDeposit(tx, context.chain, { payer: null, product: 'operator', txHash, amount })
  await recordAction(tx, { who: operator.who, what: `claim deposit ${txHash}`, why: operator.why })
  return 'Claimed. If no user sent it, the worker books it within a few seconds.'
}

function poolOf(name: string): PoolKind {
  const pool = poolKinds.find((kind) => kind === name)
  if (!pool) throw wrong(`There is no pool "${name}". The pools are: ${poolKinds.join(', ')}`)
  return pool
}

async function approve({ context, ...ops }: Ops): Promise<string> {
  const id = wordAt({ context, ...ops }, 0, 'The id of the request')
  const { who, why } = operatorOf(ops)
  return transaction(context.db, async (tx) => {
    const row = await tx.selectFrom('operator_requests').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    if (!row) throw wrong('There is no request with this id')
    if (row.approved_by) throw wrong(`${row.approved_by} has already approved this`)
    if (row.asked_by === who) throw wrong('You requested this yourself: another operator must approve it')
    await tx
      .updateTable('operator_requests')
      .set({ approved_by: who, approved_at: sql`now()` })
      .where('id', '=', id)
      .execute()
    const both = { who: `${row.asked_by} and ${who}`, why: `${row.why}; ${why}` }
    return perform(tx, context, { id, name: row.act, amount: row.amount, details: row.details }, both)
  })
}

async function listOpen({ context, write }: Ops): Promise<undefined> {
  const rows = await context.db
    .selectFrom('operator_requests')
    .selectAll()
    .where('approved_by', 'is', null)
    .orderBy('asked_at')
    .execute()
  if (rows.length === 0) return void write('Nothing is waiting for a second operator.')
  const cells = rows.map(({ id, act: name, amount, details, asked_by, why }) => [
    id,
    `${name} ${Object.entries(details)
      .filter(([key]) => key !== 'raw')
      .map(([, value]) => value)
      .join(' ')}`,
    formatUsdt(amount),
    asked_by,
    why,
  ])
  return void write(table(['id', 'what', 'USDT', 'requested by', 'why'], cells))
}

export const moneyCommands: Command[] = [
  {
    name: 'fund',
    takes: '<pool> <amount>',
    summary: "moves the operator's money into a pool",
    acts: true,
    async run(ops) {
      const details = { pool: poolOf(wordAt(ops, 0, 'The pool')) }
      ops.write(await act(ops, { name: 'fund', amount: amountAt(ops, 1), details }, operatorOf(ops)))
      return 0
    },
  },
  {
    name: 'collect-fees',
    takes: '<amount>',
    summary: 'moves earned fees to the operator',
    acts: true,
    async run(ops) {
      ops.write(await act(ops, { name: 'collect-fees', amount: amountAt(ops, 0), details: {} }, operatorOf(ops)))
      return 0
    },
  },
  {
    name: 'deposits claim',
    takes: '<hash> <amount>',
    summary: "books a deposit from an unregistered wallet as the operator's",
    acts: true,
    async run(ops) {
      const hash = wordAt(ops, 0, 'The hash').toLowerCase()
      if (!/^0x[0-9a-f]{64}$/.test(hash)) throw wrong('That is not a transaction hash')
      ops.write(await act(ops, { name: 'claim-deposit', amount: amountAt(ops, 1), details: { hash } }, operatorOf(ops)))
      return 0
    },
  },
  {
    name: 'adopt',
    takes: '<hash> [withdrawal]',
    summary: 'books a transaction of our wallets that the books do not know; two operators must approve',
    acts: true,
    async run(ops) {
      ops.write(await act(ops, { name: 'adopt', ...(await prepareAdoption(ops)) }, operatorOf(ops)))
      return 0
    },
  },
  { name: 'approvals', summary: 'lists requests that need a second operator', run: listOpen },
  {
    name: 'approve',
    takes: '<id>',
    summary: "approves another operator's request",
    acts: true,
    run: answering(approve),
  },
]
