import { micro } from '../src/protocol/money.ts'
import { userAccount } from '../src/server/ledger/accounts.ts'
import { callOf, type Posting } from '../src/server/ledger/posting.ts'
import { createLedger } from '../src/server/ledger/submit.ts'
import { createPool, newId } from '../src/server/platform/db.ts'
import { USERS } from './ledger-rates.ts'
import { median, type Row } from './report.ts'

const IN_FLIGHT = 64
const CONNECTIONS = 16

/** The same transfers sent from Node: in groups on two connections, and one call per transfer on sixteen. */
export async function nodeRows(appUrl: string, rounds: number, seconds: number): Promise<Row[]> {
  const pool = createPool(appUrl, CONNECTIONS)
  const ledger = createLedger(pool)
  const callEach = async (posting: Posting) => {
    const { call, values } = callOf(posting)
    await pool.query({ name: 'each', text: `select outcome, answer from ${call}`, values })
  }
  const inGroups = (posting: Posting) => ledger.submit(posting)
  for (const way of [inGroups, callEach]) await keepInFlight(way, 1)
  const rates: number[] = []
  const latencies: number[] = []
  for (let round = 0; round < rounds; round++) {
    const [groups, each] = [await keepInFlight(inGroups, seconds), await keepInFlight(callEach, seconds)]
    rates.push(groups.rate / each.rate)
    latencies.push(groups.p50Ms / each.p50Ms)
    console.log(
      `from Node: groups ${Math.round(groups.rate)}/s p50 ${groups.p50Ms.toFixed(1)} ms, each ${Math.round(each.rate)}/s p50 ${each.p50Ms.toFixed(1)} ms`,
    )
  }
  await pool.end()
  return [
    { name: 'from Node, 64 in flight: groups ÷ one call per transfer', ratio: median(rates), atLeast: 2.5 },
    {
      name: 'from Node, 64 in flight: p50 of groups ÷ p50 of one call per transfer',
      ratio: median(latencies),
      atMost: 0.5,
    },
  ]
}

async function keepInFlight(submit: (posting: Posting) => Promise<unknown>, seconds: number) {
  const [beganMs, endMs] = [performance.now(), performance.now() + seconds * 1000]
  const latenciesMs: number[] = []
  async function client(): Promise<void> {
    while (performance.now() < endMs) {
      const askedMs = performance.now()
      await submit(randomTransfer())
      latenciesMs.push(performance.now() - askedMs)
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, client))
  return { rate: (latenciesMs.length * 1000) / (performance.now() - beganMs), p50Ms: median(latenciesMs) }
}

function randomTransfer(): Posting {
  const from = 1 + Math.floor(Math.random() * USERS)
  const to = ((from + Math.floor(Math.random() * (USERS - 1))) % USERS) + 1
  const movement = { from: userAccount(from, 'wallet'), to: userAccount(to, 'wallet'), amount: micro(1n) }
  return { kind: 'transfer', reference: newId(), movements: [movement] }
}
