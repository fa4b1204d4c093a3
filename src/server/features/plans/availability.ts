import { sql } from 'kysely'
import { add, larger, smaller, subtract, type Usdt, ZERO } from '../../../protocol/money.ts'
import type { Terms } from '../../../protocol/terms.ts'
import type { TopUpBalances } from '../../../protocol/top-up.ts'
import { type UserAccountKind, userAccount } from '../../ledger/accounts.ts'
import { getUserBalances } from '../../ledger/balances.ts'
import { lockAccounts } from '../../ledger/post.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { termsAt } from '../../platform/terms.ts'
import { earnerAccounts } from '../referrals/holds.ts'

type Balances = Pick<Record<UserAccountKind, Usdt>, 'plan' | 'reward' | 'referral' | 'wallet'>

/** The total that can be withdrawn (TWA), and the part of it available now (BWA). */
export type Withdrawable = { total: Usdt; now: Usdt }

/** Outflow today, from the same SQL function that enforces the withdrawal limit. */
async function readOutflow(db: Db, userNumber: number): Promise<Usdt> {
  const { rows } = await sql<{ outflow: Usdt }>`select withdrawn_today(${userNumber}) as outflow`.execute(db)
  return rows[0]?.outflow ?? ZERO
}

export async function readWithdrawable(
  db: Db,
  userNumber: number,
  balances: Balances,
  { outflowDailyMax }: Pick<Terms, 'outflowDailyMax'>,
): Promise<Withdrawable> {
  // Rewards on hold are in the hold account, so they are in neither figure: an operator may still decide against them.
  const total = add(balances.reward, balances.referral, balances.wallet)
  const rest = larger(subtract(outflowDailyMax, await readOutflow(db, userNumber)), ZERO)
  return { total, now: smaller(total, rest) }
}

const topUpBalancesOf = (balances: Balances, { total, now }: Withdrawable, terms: Terms): TopUpBalances => ({
  withdrawableTotal: total,
  withdrawableNow: now,
  planAmount: balances.plan,
  planAmountMax: terms.planAmountMax,
  reward: balances.reward,
  referral: balances.referral,
  amountMin: terms.planAmountMin,
})

export type LockedBalances = TopUpBalances & { wallet: Usdt; terms: Terms }

type Ordered = {
  /** Now, if it is missing. */
  at?: Date | undefined
  /** Whether the same transaction pays the upline. Its accounts are locked, too: all in one step, in id order (R3). */
  paysUpline?: boolean
}

/** Reads the terms and the balances that the top-up rules check, and locks the balances until the transaction ends. */
export async function lockTopUpBalances(tx: Tx, userNumber: number, ordered: Ordered = {}): Promise<LockedBalances> {
  const kinds = ['plan', 'reward', 'referral', 'wallet', 'hold'] as const
  const own = kinds.map((kind) => userAccount(userNumber, kind))
  const terms = await termsAt(tx, ordered.at)
  const upline = ordered.paysUpline ? await listUpline(tx, userNumber, terms.uplinePercents.length) : []
  await lockAccounts(tx, [...own, ...earnerAccounts(upline)])
  const balances = await getUserBalances(tx, userNumber)
  const withdrawable = await readWithdrawable(tx, userNumber, balances, terms)
  return { ...topUpBalancesOf(balances, withdrawable, terms), wallet: balances.wallet, terms }
}

async function listUpline(tx: Tx, userNumber: number, levels: number): Promise<number[]> {
  const { path } = await tx
    .selectFrom('users')
    .select('path')
    .where('number', '=', userNumber)
    .executeTakeFirstOrThrow()
  return path.slice(0, -1).slice(-levels)
}
