import { sql } from 'kysely'
import type { Address } from '../../protocol/ids.ts'
import { formatUsdt } from '../../protocol/money.ts'
import { levelOf } from '../../protocol/users.ts'
import { getUserBalances } from '../ledger/balances.ts'
import type { Db } from '../platform/db.ts'
import { type ActCommand, type Command, type Ops, table, wordAt, wrong } from './command.ts'

/** Finds a user by name, number, or a wallet that they have or had. */
export async function getUser(ops: Ops, at = 0) {
  const given = wordAt(ops, at, 'The user').toLowerCase()
  const users = ops.context.db.selectFrom('users').selectAll()
  const row = await (/^\d+$/.test(given)
    ? users.where('number', '=', Number(given))
    : users.where((where) =>
        where.or([where('username', '=', given), where('number', 'in', ownersOf(ops, given as Address))]),
      )
  ).executeTakeFirst()
  if (!row) throw wrong(`There is no user "${given}"`)
  return row
}

const ownersOf = ({ context }: Ops, wallet: Address) =>
  context.db.selectFrom('user_wallets').select('user_number').where('wallet_address', '=', wallet)

/** The user's wallet, then the former ones. */
export async function listWallets(db: Db, userNumber: number): Promise<Address[]> {
  const { rows } = await sql<{ wallet: Address }>`
    select w.wallet_address as wallet from user_wallets w join users u on u.number = w.user_number
    where w.user_number = ${userNumber}
    order by w.wallet_address <> u.wallet_address, w.wallet_address`.execute(db)
  return rows.map(({ wallet }) => wallet)
}

async function show(ops: Ops): Promise<undefined> {
  const user = await getUser(ops)
  const { db } = ops.context
  const [, ...former] = await listWallets(db, user.number)
  const balances = await getUserBalances(db, user.number)
  const { rows } = await sql<{ state: string; count: bigint; amount: bigint }>`
    select state, count(*), sum(amount)::bigint as amount from withdrawals
    where user_number = ${user.number} group by state order by state`.execute(db)
  ops.write(
    table(
      ['user', user.username],
      [
        ['number', String(user.number)],
        ['wallet', user.wallet_address],
        ...former.map((wallet) => ['former wallet', wallet]),
        ['joined', user.created_at.toISOString()],
        ['level', String(levelOf(user.points))],
        ['frozen', user.frozen_at?.toISOString() ?? 'no'],
        ...Object.entries(balances).map(([kind, amount]) => [kind, `${formatUsdt(amount)} USDT`]),
        ...rows.map((row) => [`withdrawals ${row.state}`, `${row.count}, ${formatUsdt(row.amount as never)} USDT`]),
      ],
    ),
  )
  return undefined
}

/** A frozen user can sign in, read, sign out and write to support. Everything else that changes something is refused. */
const freezing = (name: string, summary: string, frozen: boolean): ActCommand => ({
  name,
  takes: '<name | number | wallet>',
  summary,
  async prepare(ops) {
    const user = await getUser(ops)
    if ((user.frozen_at !== null) === frozen)
      throw wrong(`${user.username} is ${frozen ? 'already frozen' : 'not frozen'}`)
    return { user: String(user.number), username: user.username }
  },
  async perform(tx, { act }) {
    await tx
      .updateTable('users')
      .set({ frozen_at: frozen ? sql<Date>`now()` : null })
      .where('number', '=', Number(act['user']))
      .execute()
    return `${act['username']} is ${frozen ? 'frozen. They can still read, and write to support' : 'no longer frozen'}.`
  },
})

export const userCommands: (Command | ActCommand)[] = [
  { name: 'users show', takes: '<name | number | wallet>', summary: 'one user: balances and withdrawals', run: show },
  freezing('users freeze', 'blocks all changes by a user, except writing to support', true),
  freezing('users unfreeze', 'lifts a freeze', false),
]
