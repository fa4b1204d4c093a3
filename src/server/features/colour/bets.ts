import { z } from 'zod'
import type { Bet, colour } from '../../../protocol/colour.ts'
import { AppError } from '../../../protocol/errors.ts'
import { ZERO } from '../../../protocol/money.ts'
import type { OutputOf } from '../../../protocol/route.ts'
import { systemAccount, userAccount } from '../../ledger/accounts.ts'
import { postGroup } from '../../ledger/post.ts'
import { batched } from '../../platform/batch.ts'
import { type Db, newId, type Tx, transaction } from '../../platform/db.ts'
import { type Call, type Replies, readReplies, storeReplies } from '../../platform/idempotency.ts'
import { acceptBet, type Betting, lockBetting, type NewBet } from './betting.ts'
import { publicBet } from './queries.ts'

/** A bet, and the call that asks for it. */
export type Asked = { call: Call; bet: NewBet }
export type Reply = OutputOf<typeof colour.placeBet>

const GROUP_MAX = 500
const BETTING_CLOSED = 'WP001'

/**
 * Places bets in groups: those that arrive while a group is running wait in memory and then share one transaction. So no
 * bet waits for the locks and the commit of every bet before it.
 */
export function createBetting(db: Db): (asked: Asked) => Promise<Reply> {
  const place = batched<Asked, Reply | AppError>((group) => placeBets(db, group), {
    name: 'bets',
    sizeMax: GROUP_MAX,
  })
  return async (asked) => {
    const outcome = await place(asked)
    if (outcome === undefined) throw new Error('a bet got no answer')
    if (outcome instanceof AppError) throw outcome
    return outcome
  }
}

/** The trigger reads the clock again. If betting closed since the group was judged, it is judged once more. */
async function placeBets(db: Db, group: readonly Asked[]): Promise<(Reply | AppError)[]> {
  const attempt = () => transaction(db, (tx) => placeGroup(tx, group))
  try {
    return await attempt()
  } catch (error) {
    if ((error as { code?: string }).code !== BETTING_CLOSED) throw error
    return await attempt()
  }
}

/** Judges the bets one after another under the group's locks, then writes all accepted ones together. */
async function placeGroup(tx: Tx, group: readonly Asked[]): Promise<(Reply | AppError)[]> {
  const betting = await lockBetting(
    tx,
    group.map(({ bet }) => bet.userNumber),
  )
  const replies = await readReplies(
    tx,
    group.map(({ call }) => call),
  )
  const accepted: Accepted[] = []
  const outcomes = group.map((asked) => {
    try {
      return findReply(replies, asked) ?? accept(betting, replies, asked, accepted)
    } catch (error) {
      if (error instanceof AppError) return error
      throw error
    }
  })
  await record(tx, betting, accepted)
  return outcomes
}

function findReply(replies: Replies, { call }: Asked): Reply | undefined {
  const stored = replies.find(call)
  return stored === undefined ? undefined : (z.decode(call.output, stored) as Reply)
}

type Accepted = Asked & { id: string; round: bigint; stored: unknown }

function accept(betting: Betting, replies: Replies, asked: Asked, accepted: Accepted[]): Reply {
  const { call, bet } = asked
  const round = acceptBet(betting, bet).number
  const id = newId()
  const data = openBet(id, round, bet, betting.at)
  const reply: Reply = { status: 'success', Msg: `Your bet is in round ${data.round}`, data }
  const stored = call.keys.length > 0 ? z.encode(call.output, reply) : undefined
  replies.add({ call, reply: stored })
  accepted.push({ ...asked, id, round, stored })
  return reply
}

const openBet = (id: string, round: bigint, { userNumber, colour, stake }: NewBet, at: Date): Bet =>
  publicBet({
    ...{ id, round, user_number: userNumber, colour, stake, placed_at: at, state: 'open', payout: ZERO },
    ...{ draw: null, outcome: null, finished_at: null },
  })

/** Posts the stakes and inserts the bets. A trigger counts them in the round and in the players' daily totals. */
async function record(tx: Tx, { atText }: Betting, accepted: readonly Accepted[]): Promise<void> {
  if (accepted.length === 0) return
  const requests = accepted.map(({ id, round, bet: { userNumber, colour, stake } }) => {
    const movement = { from: userAccount(userNumber, 'bet'), to: systemAccount('bet_escrow'), amount: stake }
    const values = { id, round, user_number: userNumber, colour, stake, placed_at: atText }
    return {
      posting: { kind: 'bet', reference: id, movements: [movement] } as const,
      rows: [{ table: 'colour_bets', values } as const],
    }
  })
  await postGroup(tx, requests)
  await storeReplies(
    tx,
    accepted.map(({ call, stored }) => ({ call, reply: stored })),
  )
}
