import { AppError } from '../src/protocol/errors.ts'
import { createBetting } from '../src/server/features/colour/bets.ts'
import type { NewBet } from '../src/server/features/colour/betting.ts'
import type { Db } from '../src/server/platform/db.ts'
import { changeOnce } from '../src/server/platform/idempotency.ts'
import { askFor } from '../src/server/testing/colour.ts'
import { placeLockedBet } from '../src/server/testing/locked-bets.ts'
import { randomBet } from './colour-round.ts'
import { median, type Row } from './report.ts'

const MANY = 64
const CROWD = 1_000

/**
 * Bets per second and their latency, in groups and one at a time. Each bet has an idempotency key, as from the web app.
 * One at a time, a thousand bets in flight would only wait for a connection, so a crowd is compared with the rate of 64.
 */
export async function rateRows(db: Db, rounds: number, seconds: number): Promise<Row[]> {
  const place = createBetting(db)
  const grouped = (bet: NewBet) => place(askFor(bet, crypto.randomUUID()))
  const locked = (bet: NewBet) =>
    changeOnce(db, askFor(bet, crypto.randomUUID()).call, async (tx) => {
      const data = await placeLockedBet(tx, bet)
      return { status: 'success', Msg: `Your bet is in round ${data.round}`, data }
    })
  for (const way of [grouped, locked]) await keepInFlight(way, MANY, 1)
  const compare = async (inFlight: number, lockedInFlight: number) => {
    const pairs: Pair[] = []
    for (let round = 0; round < rounds; round++)
      pairs.push({
        groups: await keepInFlight(grouped, inFlight, seconds),
        locks: await keepInFlight(locked, lockedInFlight, seconds),
      })
    return medianPair(inFlight, pairs)
  }
  const [alone, many, crowd] = [await compare(1, 1), await compare(MANY, MANY), await compare(CROWD, MANY)]
  return [
    { name: 'a bet alone: p50 in a group ÷ under locks', ratio: alone.p50, atMost: 1.5 },
    { name: `bets/s in groups ÷ under locks, ${MANY} in flight`, ratio: many.rate, atLeast: 5 },
    { name: `bets/s in groups with ${CROWD} in flight ÷ under locks with ${MANY}`, ratio: crowd.rate, atLeast: 5 },
  ]
}

type Pair = { groups: Measured; locks: Measured }

/** The medians of the paired ratios. */
function medianPair(inFlight: number, pairs: Pair[]): { rate: number; p50: number } {
  const words = (way: keyof Pair) => {
    const all = pairs.map((pair) => pair[way])
    return `${Math.round(median(all.map(({ rate }) => rate)))}/s, p50 ${median(all.map(({ p50Ms }) => p50Ms)).toFixed(1)} ms`
  }
  console.log(`${inFlight} in flight: groups ${words('groups')}; under locks ${words('locks')}`)
  return {
    rate: median(pairs.map(({ groups, locks }) => groups.rate / locks.rate)),
    p50: median(pairs.map(({ groups, locks }) => groups.p50Ms / locks.p50Ms)),
  }
}

type Measured = { rate: number; p50Ms: number }

/** Places random bets. One that the house cannot cover is answered too. */
async function keepInFlight(
  place: (bet: NewBet) => Promise<unknown>,
  count: number,
  seconds: number,
): Promise<Measured> {
  const [beganMs, endMs] = [performance.now(), performance.now() + seconds * 1000]
  const latenciesMs: number[] = []
  async function client(): Promise<void> {
    while (performance.now() < endMs) {
      const askedMs = performance.now()
      await place(randomBet()).catch(ignoreFull)
      latenciesMs.push(performance.now() - askedMs)
    }
  }
  await Promise.all(Array.from({ length: count }, client))
  return { rate: (latenciesMs.length * 1000) / (performance.now() - beganMs), p50Ms: median(latenciesMs) }
}

function ignoreFull(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'round_full') throw error
}
