import { sql } from 'kysely'
import type { Id } from '../../protocol/ids.ts'
import { formatUsdt, type Usdt } from '../../protocol/money.ts'
import { listFlags } from '../features/referrals/flags.ts'
import { type Decision, decideHold } from '../features/referrals/holds.ts'
import { type ActCommand, ALL, type Command, type Ops, table, wordAt, wrong } from './command.ts'

const LIST_MAX = 200

async function showFlags({ context, flags, write }: Ops): Promise<undefined> {
  const rows = await listFlags(context.db, { all: flags['all'] === true, limit: LIST_MAX })
  if (rows.length === 0) return void write('No accounts look like the same person.')
  const cells = rows.map(({ id, kind, key, count, members, found_at }) => [
    id,
    kind,
    key.length > 30 ? `${key.slice(0, 10)}…${key.slice(-4)}` : key,
    `${count}`,
    members,
    found_at.toISOString(),
  ])
  return void write(table(['id', 'signal', 'what', 'accounts', 'who', 'found'], cells))
}

type Row = {
  id: string
  owner: string
  buyer: string
  amount: Usdt
  level: number
  kinds: string[]
  state: string
  appeal_id: string | null
  held_at: Date
}

async function showHolds({ context, flags, write }: Ops): Promise<undefined> {
  const { rows } = await sql<Row>`
    select h.id, owner.username as owner, buyer.username as buyer, h.amount, h.level, h.kinds, h.state, h.appeal_id,
           h.held_at
    from referral_holds h
      join users owner on owner.number = h.user_number
      join plan_orders o on o.id = h.order_id
      join users buyer on buyer.number = o.user_number
    where ${flags['all'] === true} or h.state = 'held'
    order by h.appeal_id is null, h.held_at limit ${LIST_MAX}`.execute(context.db)
  if (rows.length === 0) return void write('No rewards are on hold.')
  const cells = rows.map((row) => [
    `hold_${row.id}`,
    row.owner,
    `${row.buyer} (level ${row.level})`,
    formatUsdt(row.amount),
    row.kinds.join(', '),
    row.state,
    row.appeal_id ? `request_${row.appeal_id}` : '–',
    row.held_at.toISOString(),
  ])
  return void write(table(['id', 'owner', 'from', 'USDT', 'signals', 'state', 'appeal', 'held'], cells))
}

const idOf = (ops: Ops, kind: 'hold' | 'flag'): string => {
  const id = wordAt(ops, 0, `The id of the ${kind}`).replace(/^hold_/, '')
  if (!/^[0-9a-f-]{36}$/.test(id)) throw wrong(`This is not a ${kind} id`)
  return id
}

async function getHold(ops: Ops) {
  const { rows } = await sql<{ id: string; amount: Usdt; state: string; username: string }>`
    select h.id, h.amount, h.state, u.username from referral_holds h join users u on u.number = h.user_number
    where h.id = ${idOf(ops, 'hold')}`.execute(ops.context.db)
  if (!rows[0]) throw wrong('There is no such hold')
  if (rows[0].state !== 'held') throw wrong(`This reward is already ${rows[0].state}`)
  return rows[0]
}

const deciding = (name: string, summary: string, state: Decision['state']): ActCommand => ({
  name,
  takes: '<id>',
  summary,
  async prepare(ops) {
    const { id, amount, username } = await getHold(ops)
    return { hold: id, amount: formatUsdt(amount), username }
  },
  async perform(tx, { act, who }) {
    const { amount } = await decideHold(tx, { id: act['hold'] as Id<'hold'>, state, who, note: act.why })
    const outcome = state === 'released' ? 'went back to the owner’s balance' : 'moved to the fees'
    return `${formatUsdt(amount)} USDT ${outcome}. The owner sees your reason.`
  },
})

/** For accounts that turned out to be different people: the flag no longer counts. */
const dismissCommand: ActCommand = {
  name: 'flags dismiss',
  takes: '<id>',
  summary: 'dismisses a flag, so that it no longer counts',
  prepare: async (ops) => ({ flag: idOf(ops, 'flag') }),
  async perform(tx, { act, who }) {
    const flag = await tx
      .updateTable('referral_flags')
      .set({ dismissed_by: who, dismissed_at: sql<Date>`now()` })
      .where('id', '=', act['flag'] ?? '')
      .where('dismissed_at', 'is', null)
      .executeTakeFirst()
    if (flag.numUpdatedRows === 0n) throw wrong('There is no open flag with this id')
    return 'Dismissed. It no longer holds rewards. Rewards that are on hold already still need a decision each.'
  },
}

export const holdCommands: (Command | ActCommand)[] = [
  { name: 'flags', options: ALL, summary: 'accounts that may be the same person, with the signals', run: showFlags },
  dismissCommand,
  { name: 'holds', options: ALL, summary: 'rewards on hold, appealed ones first', run: showHolds },
  deciding('holds release', 'releases a held reward to its owner, who sees the reason', 'released'),
  deciding('holds confirm', 'moves a held reward to the fees; its owner sees the reason', 'forfeited'),
]
