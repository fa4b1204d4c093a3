import { AppError } from '../../protocol/errors.ts'
import type { Db, Tx } from '../platform/db.ts'
import { publish } from '../platform/events.ts'
import { recordAction } from './audit-log.ts'

/** What can halt payouts and bets. Each source lifts only its own halt. */
export const HALT_SOURCES = ['audit', 'chain', 'payouts', 'payout-wallet', 'operator'] as const
export type HaltSource = (typeof HALT_SOURCES)[number]

export type Halt = { source: HaltSource; reason: string; since: Date }

/** Stops payouts and bets, not sign-in or history (R18). Does nothing if this source has halted them already. */
export async function halt(tx: Tx, source: HaltSource, reason: string): Promise<void> {
  if (await pause(tx, source, reason))
    await recordAction(tx, { who: source, what: 'halt payouts and bets', why: reason })
}

/** Like `halt`, but leaves the audit log to the caller: it takes no lock that another transaction may hold for long. */
export async function pause(tx: Tx, source: HaltSource, reason: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows: rows } = await tx
    .insertInto('halts')
    .values({ source, reason })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (rows !== 1n) return false
  await publish(tx, { topic: 'halt' })
  return true
}

export async function resume(tx: Tx, source: HaltSource, why: string): Promise<void> {
  if (await lift(tx, source)) await recordAction(tx, { who: source, what: 'resume payouts and bets', why })
}

/** Like `resume`, but leaves the audit log to the caller. The database lets only operators lift most halts. */
export async function lift(tx: Tx, source: HaltSource): Promise<boolean> {
  const { numDeletedRows: rows } = await tx.deleteFrom('halts').where('source', '=', source).executeTakeFirstOrThrow()
  if (rows !== 1n) return false
  await publish(tx, { topic: 'halt' })
  return true
}

export const findHalt = (db: Db): Promise<Halt | undefined> =>
  db.selectFrom('halts').selectAll().orderBy('since').limit(1).executeTakeFirst()

/** For calls that pay out or take a bet. */
export async function requireRunning(db: Db): Promise<void> {
  const found = await findHalt(db)
  if (found) throw paused(found)
}

export const paused = ({ reason }: Halt): AppError => new AppError('halted', `Payouts and bets are paused: ${reason}`)
