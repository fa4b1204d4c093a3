import { type RawBuilder, sql } from 'kysely'
import { type PlayToday, refuseBet } from '../../../protocol/colour-bets.ts'
import {
  isLooser,
  LIMIT_RAISE_HOURS,
  type LimitKind,
  type Limits,
  raiseLimitData,
} from '../../../protocol/colour-limits.ts'
import { AppError } from '../../../protocol/errors.ts'
import { type Usdt, ZERO } from '../../../protocol/money.ts'
import type { Terms } from '../../../protocol/terms.ts'
import { requireTypedSignature } from '../../chain/step-up.ts'
import type { Context, User } from '../../context.ts'
import { userAccount } from '../../ledger/accounts.ts'
import { lockAccounts } from '../../ledger/post.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { throwIfRefused } from '../../platform/refusals.ts'

/** How far in the future a signature's deadline may be. */
const SIGNATURE_SECONDS_MAX = 3_600

/**
 * Serializes a player's bets, limit changes and exclusions, so a stricter limit takes effect immediately (R17). The lock
 * is the one on the bet wallet, which a group of bets takes for all its players.
 */
async function lockPlayer(tx: Tx, userNumber: number): Promise<void> {
  await lockAccounts(tx, [userAccount(userNumber, 'bet')])
}

/** A player's limits and play today. Open bets count as lost. */
export type Player = PlayToday & { user_number: number; excluded_until: Date | null }

/** Few players have limits or were ever excluded, so the functions that find them are called only for those. */
export async function listPlayers(db: Db, userNumbers: readonly number[], at: RawBuilder<Date>): Promise<Player[]> {
  const { rows } = await sql<Player>`
    select user_number, today.staked as staked_today, today.lost as lost_today,
      case when has_limits then colour_limit_at(user_number, 'loss', at) end as loss,
      case when has_limits then colour_limit_at(user_number, 'stake', at) end as stake,
      case when exists (select from colour_exclusions e where e.user_number = player.user_number)
        then colour_excluded_at(user_number, at) end as excluded_until
    from (
      select user_number, at, exists (select from colour_limits l where l.user_number = asked.user_number) as has_limits
      from unnest(${userNumbers}::int[]) as asked (user_number), (select ${at} as at) as moment
    ) as player, colour_play_on(user_number, (at at time zone 'UTC')::date) as today`.execute(db)
  return rows
}

async function getPlayer(db: Db, userNumber: number): Promise<Player> {
  const [player] = await listPlayers(db, [userNumber], sql`clock_timestamp()`)
  if (!player) throw new Error('a query for one player returned no row')
  return player
}

/** Throws, with the reason, if a bet of this stake would break a rule. The player must be locked. */
export function checkBet({ excluded_until, ...play }: Player, stake: Usdt, balance: Usdt, terms: Terms): void {
  if (excluded_until) throw excluded(excluded_until)
  const bounds = { stakeMin: terms.colourBetMin, stakeMax: terms.colourBetMax, balance, play }
  throwIfRefused(refuseBet(stake, bounds), 'amount')
}

export const excluded = (until: Date): AppError =>
  new AppError(
    'self_excluded',
    `You excluded yourself until ${until.toISOString().slice(0, 16).replace('T', ' ')} UTC.`,
  )

export async function findExclusion(db: Db, userNumber: number): Promise<Date | null> {
  const { rows } = await sql<{ until: Date | null }>`
    select colour_excluded_at(${userNumber}, clock_timestamp()) as until`.execute(db)
  return rows[0]?.until ?? null
}

export async function getLimits(db: Db, userNumber: number): Promise<Limits> {
  const [player, loss, stake, spell, month] = await Promise.all([
    getPlayer(db, userNumber),
    findNext(db, userNumber, 'loss'),
    findNext(db, userNumber, 'stake'),
    findSpell(db, userNumber),
    getMonthNet(db, userNumber),
  ])
  const { excluded_until, staked_today, lost_today } = player
  return {
    loss: { amount: player.loss, next: loss },
    stake: { amount: player.stake, next: stake },
    excluded_until,
    staked_today,
    lost_today,
    net_month: month,
    playing_since: spell?.since ?? null,
    playing_net: spell?.net ?? ZERO,
  }
}

/** The pending change of a limit, if there is one. Only the newest request counts. */
async function findNext(db: Db, userNumber: number, kind: LimitKind) {
  const { rows } = await sql<{ amount: Usdt | null; acts_at: Date; waits: boolean }>`
    select amount, acts_at, acts_at > clock_timestamp() as waits from colour_limits
    where user_number = ${userNumber} and kind = ${kind} order by id desc limit 1`.execute(db)
  const newest = rows[0]
  return newest?.waits ? { amount: newest.amount, acts_at: newest.acts_at } : null
}

/** A longer pause ends a playing session. */
const PAUSE_MINUTES = 30
const pause = sql`make_interval(mins => ${PAUSE_MINUTES})`

/** Play since the player's last long break; undefined while they are on a break. */
async function findSpell(db: Db, userNumber: number): Promise<{ since: Date; net: Usdt } | undefined> {
  const { rows } = await sql<{ since: Date; net: Usdt }>`
    with recent as (
      select placed_at, case state when 'open' then 0 else payout - stake end as net,
        coalesce(placed_at - lag(placed_at) over (order by placed_at) > ${pause}, true) as begins
      from colour_results where user_number = ${userNumber} and placed_at > clock_timestamp() - interval '1 day'
    )
    select min(placed_at) as since, sum(net)::bigint as net from recent
    where placed_at >= (select max(placed_at) from recent where begins)
    having max(placed_at) > clock_timestamp() - ${pause}`.execute(db)
  return rows[0]
}

async function getMonthNet(db: Db, userNumber: number): Promise<Usdt> {
  const { rows } = await sql<{ net: Usdt }>`
    select coalesce(sum(payout - stake) filter (where state <> 'open'), 0)::bigint as net from colour_results
    where user_number = ${userNumber} and placed_at >= date_trunc('month', clock_timestamp(), 'UTC')`.execute(db)
  return rows[0]?.net ?? ZERO
}

type Change = {
  kind: LimitKind
  amount: Usdt | null
  nonce?: string | undefined
  deadline?: number | undefined
  signature?: string | undefined
}

/** Checks the signature a looser limit needs (R11). Not in a transaction: contract wallets need a call to the node. */
export async function proveChange({ chain, clock }: Context, user: User, change: Change): Promise<boolean> {
  const { kind, amount, nonce, deadline, signature } = change
  if (!nonce || !deadline || !signature) return false
  const nowSeconds = clock.now().getTime() / 1000
  if (deadline < nowSeconds || deadline > nowSeconds + SIGNATURE_SECONDS_MAX)
    throw new AppError('signature_refused', 'The signature has expired. Sign again.')
  const data = raiseLimitData({
    chainId: chain.settings.chainId,
    wallet: user.walletAddress,
    kind,
    amount,
    nonce,
    deadline,
  })
  await requireTypedSignature(chain, user.walletAddress, data, signature)
  return true
}

/** Records a limit. A stricter one takes effect immediately; a looser one needs a checked signature and waits a day. */
export async function setLimit(tx: Tx, userNumber: number, change: Change, isProven: boolean): Promise<void> {
  await lockPlayer(tx, userNumber)
  const { kind, amount } = change
  const player = await getPlayer(tx, userNumber)
  const looser = isLooser(player[kind], amount)
  if (looser && !isProven)
    throw new AppError('signature_refused', 'To raise a limit, sign the request with your wallet', 'signature')
  const hours = looser ? LIMIT_RAISE_HOURS : 0
  await tx
    .insertInto('colour_limits')
    .values({
      user_number: userNumber,
      kind,
      amount,
      asked_at: sql`clock_timestamp()`,
      acts_at: sql`clock_timestamp() + make_interval(hours => ${hours})`,
      nonce: isProven ? (change.nonce ?? null) : null,
      signature: isProven ? (change.signature ?? null) : null,
    })
    .execute()
}

/** Takes effect immediately and cannot be undone; a longer exclusion extends it. */
export async function exclude(tx: Tx, userNumber: number, days: number): Promise<void> {
  await lockPlayer(tx, userNumber)
  await sql`insert into colour_exclusions (user_number, until_at)
    values (${userNumber}, clock_timestamp() + make_interval(days => ${days}))`.execute(tx)
}
