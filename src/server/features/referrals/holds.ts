import { sql } from 'kysely'
import { AppError } from '../../../protocol/errors.ts'
import type { Id } from '../../../protocol/ids.ts'
import { smaller, type Usdt, ZERO } from '../../../protocol/money.ts'
import type { OrderId } from '../../../protocol/plans.ts'
import { type AccountId, systemAccount, userAccount } from '../../ledger/accounts.ts'
import { lockAccounts, post } from '../../ledger/post.ts'
import { type Db, newId, type Tx } from '../../platform/db.ts'
import { publish } from '../../platform/events.ts'
import { addNews, type NewNews } from '../../platform/news.ts'
import { fromNearerEnd, type Paging, sliceOf } from '../../platform/pages.ts'
import type { FlagKind } from './flags.ts'
import type { UplineRewards } from './upline-rewards.ts'

/** A reward whose buyer and earner may be the same person: they share funding, or flags of two other kinds say so. */
export type Suspect = {
  order_id: OrderId
  level: number
  user_number: number
  amount: Usdt
  kinds: FlagKind[]
  flags: string[]
}

/** This many flagged accounts in the earner's team count against the earner, even if the earner is not flagged. */
const BELOW_MIN = 3
/** Rewards paid longer ago than this can no longer be held. */
export const HOLD_REWARD_DAYS = 30

/** Rewards that should be held: those of one order about to be paid, or all that were paid recently. */
export async function findSuspects(db: Db, rewards: UplineRewards, orderId?: OrderId): Promise<Suspect[]> {
  const { rows } = await sql<Suspect>`
    select r.order_id, r.level, r.user_number, r.amount,
           array_agg(distinct f.kind) as kinds, array_agg(distinct f.id) as flags
    from (${rewards}) r
      join referral_flag_members buyer on buyer.user_number = r.buyer_number
      join referral_flags f on f.id = buyer.flag_id and f.dismissed_at is null
    where ${orderId === undefined ? sql`r.paid_at > now() - make_interval(days => ${HOLD_REWARD_DAYS})` : sql`r.order_id = ${orderId}`}
      and not exists (select from referral_holds h where h.order_id = r.order_id and h.level = r.level)
      and (
        exists (select from referral_flag_members own where own.flag_id = f.id and own.user_number = r.user_number)
        or ${BELOW_MIN} <= (select count(*) from (
          select from referral_flag_members m join users u on u.number = m.user_number
          where m.flag_id = f.id and u.number <> r.user_number and r.user_number = any (u.path)
          limit ${BELOW_MIN}) below))
    group by r.order_id, r.level, r.user_number, r.amount having count(distinct f.kind) >= 2 or bool_or(f.kind = 'funding')
    order by r.user_number`.execute(db)
  return rows
}

/** The accounts that paying and holding the rewards of these users changes. */
export const earnerAccounts = (userNumbers: readonly number[]): AccountId[] =>
  userNumbers.flatMap((number) => [userAccount(number, 'referral'), userAccount(number, 'hold')])

/** Call it before locking system accounts, which come last in lock order. */
export const lockEarners = (tx: Tx, earners: readonly { user_number: number }[]) =>
  lockAccounts(tx, earnerAccounts(earners.map(({ user_number }) => user_number)))

/** Moves paid rewards from the referral balance to the hold account. */
export async function holdRewards(tx: Tx, suspects: Suspect[]): Promise<void> {
  const news: NewNews[] = []
  for (const suspect of suspects) {
    const [from, to] = [userAccount(suspect.user_number, 'referral'), userAccount(suspect.user_number, 'hold')]
    const amount = smaller(suspect.amount, (await lockAccounts(tx, [from, to])).get(from) ?? ZERO)
    const id = newId<'hold'>()
    if (amount === ZERO) {
      await tx
        .insertInto('referral_holds')
        .values({ ...suspect, id, amount, ...spent })
        .execute()
      continue
    }
    await tx
      .insertInto('referral_holds')
      .values({ ...suspect, id, amount })
      .execute()
    await post(tx, { kind: 'reward_hold', reference: id, movements: [{ from, to, amount }] })
    await publish(tx, { topic: 'balance', user: suspect.user_number })
    news.push({ kind: 'reward_held', user: suspect.user_number, key: id, facts: { amount } })
  }
  await addNews(tx, ...news)
}

/** Nothing is left to hold. The operator still sees it, and no later reward is held instead. */
const spent = { state: 'spent', decided_by: 'wellplay', decided_at: sql<Date>`now()` } as const

export type Decision = { id: Id<'hold'>; state: 'released' | 'forfeited'; who: string; note: string }

/** Applies the operator's decision: releases the reward to its owner, or moves it to the fees. */
export async function decideHold(tx: Tx, { id, state, who, note }: Decision): Promise<{ amount: Usdt }> {
  const hold = await tx.selectFrom('referral_holds').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!hold) throw new AppError('not_found', 'There is no such hold')
  if (hold.state !== 'held') throw new AppError('not_eligible', `This reward is already ${hold.state}`)
  const { user_number, amount } = hold
  const from = userAccount(user_number, 'hold')
  const [kind, to] =
    state === 'released'
      ? (['reward_release', userAccount(user_number, 'referral')] as const)
      : (['reward_forfeit', systemAccount('fees')] as const)
  await post(tx, { kind, reference: id, movements: [{ from, to, amount }] })
  await tx
    .updateTable('referral_holds')
    .set({ state, decided_by: who, decided_at: sql<Date>`now()`, note })
    .where('id', '=', id)
    .execute()
  await publish(tx, { topic: 'balance', user: user_number })
  await addNews(tx, { kind: `reward_${state}`, user: user_number, key: id, facts: { amount } })
  return { amount }
}

type HoldRow = {
  hold_id: Id<'hold'>
  amount: Usdt
  level: number
  percent: string
  held_at: Date
  kinds: FlagKind[]
  state: 'held' | 'released' | 'forfeited'
  note: string | null
  appeal_id: Id<'request'> | null
}

/** A user's holds, undecided ones first. */
export async function listHolds(
  db: Db,
  rewards: UplineRewards,
  userNumber: number,
  paging: Paging,
): Promise<{ data: HoldRow[]; total: number }> {
  const own = sql`from referral_holds h where h.user_number = ${userNumber} and h.state <> 'spent'`
  const { rows: counts } = await sql<{ total: bigint }>`select count(*) as total ${own}`.execute(db)
  const total = Number(counts[0]?.total ?? 0n)
  const { limit, skip, fromEnd } = fromNearerEnd(sliceOf(paging), total)
  const order = fromEnd
    ? sql`(h.state <> 'held') desc, h.held_at, h.id desc`
    : sql`(h.state <> 'held'), h.held_at desc, h.id`
  const { rows: data } = await sql<HoldRow>`
    select h.id as hold_id, h.amount, h.level, r.percent::text, h.held_at, h.kinds, h.state, h.note, h.appeal_id
    from (select h.id ${own} order by ${order} limit ${limit} offset ${skip}) page
      join referral_holds h on h.id = page.id
      join (${rewards}) r on r.order_id = h.order_id and r.level = h.level
    order by (h.state <> 'held'), h.held_at desc, h.id`.execute(db)
  return { data, total }
}
