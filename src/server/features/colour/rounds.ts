import { sql } from 'kysely'
import type { Colour } from '../../../protocol/colour-odds.ts'
import { accountsOf, systemAccount } from '../../ledger/accounts.ts'
import { postBulk } from '../../ledger/post.ts'
import type { Tx } from '../../platform/db.ts'
import { publish } from '../../platform/events.ts'
import { inTime } from './draws.ts'
import { publishRound } from './queries.ts'
import type { RoundRow } from './tables.ts'

/*
 * The worker's part of a round: it pays what was drawn, or returns the stakes. It cannot choose a result.
 */

/**
 * Finishes a round exactly once, whichever process gets here first. Settles it if it was drawn; refunds every stake
 * once the time for a result is over. The posting's reference is the round's id, so even a second attempt that saw the
 * round as open could not pay twice.
 */
export async function finishRound(tx: Tx, number: bigint): Promise<RoundRow | undefined> {
  const { rows } = await sql<RoundRow>`
    select * from colour_rounds
    where number = ${number} and (state = 'drawn' or state = 'open' and not (${inTime})) for update`.execute(tx)
  const round = rows[0]
  if (!round) return undefined
  const finished = round.outcome ? await settle(tx, round, round.outcome) : await refund(tx, round)
  await notifyPlayers(tx, finished)
  return finished
}

async function settle(tx: Tx, round: RoundRow, outcome: Colour): Promise<RoundRow> {
  const { number, id } = round
  await postBulk(tx, { kind: 'round_settlement', reference: id, movements: settlement(round, outcome) })
  return await finish(tx, number, 'settled')
}

// Winners get their stake back from the escrow and the rest from the house. Lost stakes go to the house.
const settlement = ({ number, ...round }: RoundRow, outcome: Colour) => sql`
  with won as (
    select ${accountsOf('bet')} as account, sum(stake)::bigint as stake from colour_bets
    where round = ${number} and colour = ${outcome} group by user_number
  ), lost as (
    select sum(stake)::bigint as stake from colour_bets where round = ${number} and colour <> ${outcome}
  )
  select ${systemAccount('bet_escrow')}::bigint, account, stake from won
  union all
  select ${systemAccount('house')}::bigint, account, stake * ${round[`pays_${outcome}`] - 1n}::bigint from won
  union all
  select ${systemAccount('bet_escrow')}::bigint, ${systemAccount('house')}::bigint, stake from lost where stake > 0`

async function refund(tx: Tx, { number, id }: RoundRow): Promise<RoundRow> {
  const movements = sql`
    select ${systemAccount('bet_escrow')}::bigint, ${accountsOf('bet')}, sum(stake)::bigint
    from colour_bets where round = ${number} group by user_number`
  await postBulk(tx, { kind: 'round_refund', reference: id, movements })
  const refunded = await finish(tx, number, 'refunded')
  await publishRound(tx, refunded)
  return refunded
}

const finish = (tx: Tx, number: bigint, state: 'settled' | 'refunded'): Promise<RoundRow> =>
  tx.updateTable('colour_rounds').set({ state }).where('number', '=', number).returningAll().executeTakeFirstOrThrow()

async function notifyPlayers(tx: Tx, { number, state, outcome }: RoundRow): Promise<void> {
  const { rows } = await sql<{ user: number }>`
    select distinct user_number as user from colour_bets
    where round = ${number} and (${state} = 'refunded' or colour = ${outcome})`.execute(tx)
  await publish(tx, ...rows.map(({ user }) => ({ topic: 'balance', user })))
}
