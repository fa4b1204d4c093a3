import { sql } from 'kysely'
import { formatUsdt, type Usdt } from '../../protocol/money.ts'
import type { OperatorAct } from '../../protocol/operators.ts'
import { changeState, returnMoney } from '../features/withdrawals/withdrawals.ts'
import type { Db, Tx } from '../platform/db.ts'
import { type ActCommand, ALL, type Command, type Ops, table, wordAt, wrong } from './command.ts'

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
      (select string_agg(distinct o.name, ', ') from operator_acts a
        join operator_signatures s on s.act_id = a.id join operators o on o.address = s.operator
        where a.act = 'withdrawals approve' and a.details ->> 'withdrawal' = w.id::text) as approvals
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

async function getWaiting(query: ReturnType<typeof findWithdrawal>) {
  const row = await query.executeTakeFirst()
  if (!row) throw wrong('There is no withdrawal with this id')
  if (row.state !== 'waiting') throw wrong(`This withdrawal is ${row.state}: there is nothing to decide`)
  return row
}

const findWithdrawal = (db: Db, id: string) => db.selectFrom('withdrawals').selectAll().where('id', '=', id)

/** The operators sign the amount and the receiver, not only an id. */
async function prepare(ops: Ops): Promise<Record<string, string>> {
  const { id, amount, to_address } = await getWaiting(findWithdrawal(ops.context.db, idOf(ops)))
  return { withdrawal: id, amount: formatUsdt(amount), to: to_address }
}

async function lockWaiting(tx: Tx, act: OperatorAct): Promise<string> {
  const { id } = await getWaiting(findWithdrawal(tx, act['withdrawal'] ?? '').forUpdate())
  return id
}

const approveCommand: ActCommand = {
  name: 'withdrawals approve',
  takes: '<id>',
  summary: 'approves a payout; a large one needs two operators',
  prepare,
  async perform(tx, { act }) {
    await changeState(tx, await lockWaiting(tx, act), ['waiting'], 'requested')
    return 'Approved. It is paid automatically.'
  },
}

const rejectCommand: ActCommand = {
  name: 'withdrawals reject',
  takes: '<id>',
  summary: 'returns the money; the user sees the reason',
  prepare,
  async perform(tx, { act }) {
    await returnMoney(tx, await lockWaiting(tx, act), ['waiting'], 'refused', act.why)
    return 'Rejected. The whole amount is back in the balance it came from. The user sees your reason.'
  },
}

export const withdrawalCommands: (Command | ActCommand)[] = [
  {
    name: 'withdrawals',
    options: { ...ALL, state: { type: 'string', value: 'STATE', about: 'only those in this state' } },
    summary: 'withdrawals waiting for approval',
    run: list,
  },
  approveCommand,
  rejectCommand,
]
