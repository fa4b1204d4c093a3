import { sql } from 'kysely'
import { formatUsdt, type Usdt } from '../../protocol/money.ts'
import { terms } from '../../protocol/terms.ts'
import { changeState, returnMoney } from '../features/withdrawals/withdrawals.ts'
import { recordAction } from '../ledger/audit-log.ts'
import { type Tx, transaction } from '../platform/db.ts'
import { answering } from './answering.ts'
import { ALL, type Command, type Ops, operatorOf, table, wordAt, wrong } from './command.ts'

const LIST_MAX = 200

type Row = {
  id: string
  username: string
  amount: Usdt
  net: Usdt
  state: string
  note: string | null
  approvals: string | null
  requested_at: Date
}

async function list({ context, flags, write }: Ops): Promise<undefined> {
  const state = flags['state'] ?? (flags['all'] ? undefined : 'waiting')
  const { rows } = await sql<Row>`
    select w.id, u.username, w.amount, w.net, w.state, w.note, w.requested_at,
      (select string_agg(operator, ', ') from withdrawal_approvals a where a.withdrawal_id = w.id) as approvals
    from withdrawals w join users u on u.number = w.user_number
    where ${state ?? null}::text is null or w.state = ${state ?? null}
    order by w.requested_at desc limit ${LIST_MAX}`.execute(context.db)
  if (rows.length === 0) return void write('No withdrawals in this list.')
  const cells = rows.map((row) => [
    row.id,
    row.username,
    formatUsdt(row.amount),
    formatUsdt(row.net),
    row.state,
    row.approvals ?? '–',
    row.requested_at.toISOString(),
  ])
  return void write(table(['id', 'user', 'USDT', 'pays out', 'state', 'approved by', 'requested'], cells))
}

const idOf = (ops: Ops): string => {
  const id = wordAt(ops, 0, 'The id of the withdrawal').replace(/^withdrawal_/, '')
  if (!/^[0-9a-f-]{36}$/.test(id)) throw wrong('This is not a withdrawal id')
  return id
}

/** Records an approval. Large withdrawals need two different operators. */
async function approve(ops: Ops): Promise<string> {
  const [id, { who, why }] = [idOf(ops), operatorOf(ops)]
  return transaction(ops.context.db, async (tx) => {
    const row = await getWaiting(tx, id)
    const inserted = await tx
      .insertInto('withdrawal_approvals')
      .values({ withdrawal_id: id, operator: who })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (inserted.numInsertedOrUpdatedRows === 0n)
      throw wrong('You have already approved this: another operator must approve it')
    await recordAction(tx, { who, what: `approve withdrawal ${id} of ${formatUsdt(row.amount)} USDT`, why })
    const { rows } = await sql<{ count: bigint }>`
      select count(*) from withdrawal_approvals where withdrawal_id = ${id}`.execute(tx)
    const wanted = row.amount > terms.operatorApprovalAbove ? 2n : 1n
    if ((rows[0]?.count ?? 0n) < wanted) return 'Approved. A second operator must approve it before it is paid.'
    await changeState(tx, id, ['waiting'], 'requested')
    return 'Approved. It is paid automatically.'
  })
}

async function reject(ops: Ops): Promise<string> {
  const [id, { who, why }] = [idOf(ops), operatorOf(ops)]
  return transaction(ops.context.db, async (tx) => {
    const row = await getWaiting(tx, id)
    await recordAction(tx, { who, what: `reject withdrawal ${id} of ${formatUsdt(row.amount)} USDT`, why })
    await returnMoney(tx, id, ['waiting'], 'refused', why)
    return 'Rejected. The whole amount is back in the balance it came from. The user sees your reason.'
  })
}

async function getWaiting(tx: Tx, id: string) {
  const row = await tx.selectFrom('withdrawals').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!row) throw wrong('There is no withdrawal with this id')
  if (row.state !== 'waiting') throw wrong(`This withdrawal is ${row.state}: there is nothing to decide`)
  return row
}

export const withdrawalCommands: Command[] = [
  {
    name: 'withdrawals',
    options: { ...ALL, state: { type: 'string', value: 'STATE', about: 'only those in this state' } },
    summary: 'withdrawals waiting for approval',
    run: list,
  },
  {
    name: 'withdrawals approve',
    takes: '<id>',
    summary: `approves a payout; above ${formatUsdt(terms.operatorApprovalAbove)} USDT two operators must approve`,
    acts: true,
    run: answering(approve),
  },
  {
    name: 'withdrawals reject',
    takes: '<id>',
    summary: 'returns the money; the user sees the reason',
    acts: true,
    run: answering(reject),
  },
]
