import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import { AppError } from '../src/protocol/errors.ts'
import { createBetting } from '../src/server/features/colour/bets.ts'
import { openRound } from '../src/server/features/colour/draws.ts'
import type { RoundRow } from '../src/server/features/colour/tables.ts'
import { systemAccount } from '../src/server/ledger/accounts.ts'
import { type Db, transaction } from '../src/server/platform/db.ts'
import { askFor } from '../src/server/testing/colour.ts'
import { finishRound, randomBet } from './colour-round.ts'
import type { Row } from './report.ts'

const BETS = 100_000
const IN_FLIGHT = 1_000
const RETRY_AFTER_MS = 1_000
const EXPECTED = ['round_closed', 'round_full', 'unavailable'] as const

/** Plays one round with the times of the terms: opens it at its minute, and bets until it has enough or closes. */
export async function wholeRoundRows(db: Db, owner: pg.Client): Promise<Row[]> {
  const round = await openNext(db)
  const beganMs = performance.now()
  const watch = watchExposure(db)
  const taken = await fillRound(db)
  const seconds = (performance.now() - beganMs) / 1000
  const exposure = await watch.stop()
  const { rows } = await sql<{ id: string; late: boolean }>`
    select id, placed_at >= ${round.closes_at} as late from colour_bets where round = ${round.number}`.execute(db)
  const stored = new Set(rows.map(({ id }) => id))
  const lost = taken.filter((id) => !stored.has(id)).length
  const paidMs = await finishRound(db, owner, round.number)
  console.log(`${taken.length} bets in ${seconds.toFixed(1)} s, paid in ${(paidMs / 1000).toFixed(1)} s`)
  return [
    { name: `bets in a round of 45 s ÷ ${BETS}`, ratio: taken.length / BETS, atLeast: 1 },
    { name: 'bets that were confirmed but are lost', ratio: lost, atMost: 0 },
    { name: 'bets that were stored but not confirmed', ratio: stored.size - taken.length + lost, atMost: 0 },
    { name: 'bets stored after closing', ratio: rows.filter(({ late }) => late).length, atMost: 0 },
    { name: 'largest exposure ÷ balance of the house', ratio: exposure, atMost: 1 },
  ]
}

async function openNext(db: Db): Promise<RoundRow> {
  const { rows } = await sql<{ ms: number }>`
    select extract(epoch from colour_opening(clock_timestamp()) + colour_round_length(clock_timestamp())
      - clock_timestamp())::float8 * 1000 as ms`.execute(db)
  await sleep((rows[0]?.ms ?? 0) + 10)
  const round = await transaction(db, openRound)
  if (!round) throw new Error('the round did not open')
  return round
}

/** Returns the ids of the bets that were confirmed. A client whose bet is refused by a full queue waits, as a page does. */
async function fillRound(db: Db): Promise<string[]> {
  const place = createBetting(db)
  const taken: string[] = []
  let isOver = false
  async function client(): Promise<void> {
    while (!isOver) {
      const reply = await place(askFor(randomBet(), crypto.randomUUID())).catch(codeOf)
      if (reply === 'round_closed') isOver = true
      else if (reply === 'unavailable') await sleep(RETRY_AFTER_MS * (0.5 + Math.random()))
      else if (reply !== 'round_full') taken.push(reply.data.id)
      if (taken.length >= BETS) isOver = true
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, client))
  return taken
}

function codeOf(error: unknown): (typeof EXPECTED)[number] {
  const code = EXPECTED.find((expected) => error instanceof AppError && error.code === expected)
  if (!code) throw error
  return code
}

/** Reads, all the time, how much of the house's balance the rounds could cost. `stop` returns the largest share. */
function watchExposure(db: Db): { stop(): Promise<number> } {
  let [largest, isOver] = [0, false]
  async function watch(): Promise<void> {
    while (!isOver) {
      const { rows } = await sql<{ share: number }>`
        select sum(greatest(0, stake_green * pays_green - total, stake_red * pays_red - total,
          stake_violet * pays_violet - total))::float8
          / (select balance from ledger_accounts where id = ${systemAccount('house')}) as share
        from (select *, stake_green + stake_red + stake_violet as total from colour_rounds
          where state in ('open', 'drawn')) as unsettled`.execute(db)
      largest = Math.max(largest, rows[0]?.share ?? 0)
      await sleep(50)
    }
  }
  const watching = watch()
  return {
    async stop() {
      isOver = true
      await watching
      return largest
    },
  }
}
