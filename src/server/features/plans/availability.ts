import { sql } from 'kysely'
import { add, larger, smaller, subtract, type Usdt, ZERO } from '../../../protocol/money.ts'
import { terms } from '../../../protocol/terms.ts'
import type { TopUpBalances } from '../../../protocol/top-up.ts'
import { type UserAccountKind, userAccount } from '../../ledger/accounts.ts'
import { getUserBalances } from '../../ledger/balances.ts'
import { lockAccounts } from '../../ledger/post.ts'
import type { Db, Tx } from '../../platform/db.ts'

type Balances = Pick<Record<UserAccountKind, Usdt>, 'plan' | 'reward' | 'referral' | 'wallet'>

/** The total that can be withdrawn (TWA), and the part of it available now (BWA). */
export type Withdrawable = { total: Usdt; now: Usdt }

/** Outflow today, from the same SQL function that enforces the withdrawal limit. */
async function readOutflow(db: Db, userNumber: number): Promise<Usdt> {
  const { rows } = await sql<{ outflow: Usdt }>`select withdrawn_today(${userNumber}) as outflow`.execute(db)
  return rows[0]?.outflow ?? ZERO
}

export async function readWithdrawable(db: Db, userNumber: number, balances: Balances): Promise<Withdrawable> {
  // Rewards on hold are in the hold account, so they are in neither figure: an operator may still decide against them.
  const total = add(balances.reward, balances.referral, balances.wallet)
  const rest = larger(subtract(terms.outflowDailyMax, await readOutflow(db, userNumber)), ZERO)
  return { total, now: smaller(total, rest) }
}

const topUpBalancesOf = (balances: Balances, { total, now }: Withdrawable): TopUpBalances => ({
  withdrawableTotal: total,
  withdrawableNow: now,
  planAmount: balances.plan,
  planAmountMax: terms.planAmountMax,
  reward: balances.reward,
  referral: balances.referral,
  amountMin: terms.planAmountMin,
})

/** Reads the balances that the top-up rules check, and locks them until the transaction ends. */
export async function lockTopUpBalances(tx: Tx, userNumber: number): Promise<TopUpBalances & { wallet: Usdt }> {
  const kinds = ['plan', 'reward', 'referral', 'wallet', 'hold'] as const
  await lockAccounts(
    tx,
    kinds.map((kind) => userAccount(userNumber, kind)),
  )
  const balances = await getUserBalances(tx, userNumber)
  return { ...topUpBalancesOf(balances, await readWithdrawable(tx, userNumber, balances)), wallet: balances.wallet }
}
