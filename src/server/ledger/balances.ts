import type { Usdt } from '../../protocol/money.ts'
import type { Db } from '../platform/db.ts'
import {
  type AccountId,
  type SystemAccountKind,
  systemAccount,
  systemAccountKinds,
  type UserAccountKind,
  userAccount,
  userAccountKinds,
} from './accounts.ts'

export async function getBalance(db: Db, account: AccountId): Promise<Usdt> {
  const row = await db
    .selectFrom('ledger_accounts')
    .select('balance')
    .where('id', '=', account)
    .executeTakeFirstOrThrow()
  return row.balance
}

export const getUserBalances = (db: Db, userNumber: number): Promise<Record<UserAccountKind, Usdt>> =>
  getBalances(db, userAccountKinds, (kind) => userAccount(userNumber, kind))

export const getSystemBalances = (db: Db): Promise<Record<SystemAccountKind, Usdt>> =>
  getBalances(db, systemAccountKinds, systemAccount)

async function getBalances<Kind extends string>(db: Db, kinds: readonly Kind[], accountOf: (kind: Kind) => AccountId) {
  const accounts = kinds.map(accountOf)
  const rows = await db.selectFrom('ledger_accounts').select(['id', 'balance']).where('id', 'in', accounts).execute()
  if (rows.length !== kinds.length) throw new Error('Some of these accounts were never opened')
  const balances = new Map(rows.map(({ id, balance }) => [id, balance]))
  return Object.fromEntries(kinds.map((kind) => [kind, balances.get(accountOf(kind))])) as Record<Kind, Usdt>
}
