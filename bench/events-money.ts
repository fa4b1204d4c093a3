import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { micro } from '../src/protocol/money.ts'
import { userAccount } from '../src/server/ledger/accounts.ts'
import { post } from '../src/server/ledger/post.ts'
import type { Posting } from '../src/server/ledger/posting.ts'
import { createLedger } from '../src/server/ledger/submit.ts'
import { createDb, createPool, type Db, newId, transaction } from '../src/server/platform/db.ts'
import { connectEvents } from '../src/server/platform/event-connection.ts'
import { publish, publishThrough } from '../src/server/platform/events.ts'
import { createLog } from '../src/server/platform/log.ts'
import { median, type Row } from './report.ts'

const USERS = 10_000
const CONNECTIONS = 16
const IN_FLIGHT = { single: 16, group: 64 }
const SECONDS = 1
/** Many short turns: the machine's speed changes from second to second. */
const TURNS_PER_ROUND = 3

type Transfer = { posting: Posting; users: [number, number] }
type Way = { inFlight: number; send(transfer: Transfer): Promise<unknown> }

/**
 * Transfers with and without events, from Node: one transaction each, and in groups. For comparison, also with the
 * NOTIFY inside the transaction. A real API process listens.
 */
export async function moneyRows(owner: pg.Client, appUrl: string, rounds: number): Promise<Row[]> {
  await fill(owner)
  const pool = createPool(appUrl, CONNECTIONS)
  const [db, bare] = [createDb(pool), createDb(pool)]
  const events = connectEvents(appUrl, createLog('error', 'bench'), { publishes: true })
  if (events.publisher) publishThrough(db, events.publisher)
  while (!events.publisher?.isOpen()) await sleep(10)
  const ways = waysOf(pool, db, bare)
  const rates: Record<string, number>[] = []
  for (let round = -1; round < rounds * TURNS_PER_ROUND; round++) {
    const measured: Record<string, number> = {}
    // Each round in another order, so that no way always follows the same one.
    const order = Object.keys(ways).map((_, at, names) => names[(at + round + 1) % names.length] as string)
    for (const name of order) measured[name] = await rateOf(ways[name] as Way)
    if (round >= 0) rates.push(measured)
  }
  await events.stop()
  await pool.end()
  const middle = (name: string) => Math.round(median(rates.map((rate) => rate[name] ?? 0)))
  console.log(
    Object.keys(ways)
      .map((name) => `${name} ${middle(name)}/s`)
      .join(', '),
  )
  const ratio = (a: string, b: string) => median(rates.map((rate) => (rate[a] ?? 0) / (rate[b] ?? 0)))
  return [
    { name: 'one transaction each: with events ÷ without', ratio: ratio('single', 'single bare'), atLeast: 0.95 },
    { name: 'in groups: with events ÷ without', ratio: ratio('groups', 'groups bare'), atLeast: 0.95 },
    { name: 'one transaction each: NOTIFY inside ÷ without', ratio: ratio('single inside', 'single bare') },
  ]
}

/** `bare` has no publisher, so that its events are sent inside the transaction. */
function waysOf(pool: pg.Pool, db: Db, bare: Db): Record<string, Way> {
  const ledger = createLedger(pool)
  const balances = ({ users }: Transfer) => users.map((user) => ({ topic: 'balance', user }))
  const single = (of: Db, isSilent: boolean): Way => ({
    inFlight: IN_FLIGHT.single,
    send: (transfer) =>
      transaction(of, async (tx) => {
        await post(tx, transfer.posting)
        if (!isSilent) await publish(tx, ...balances(transfer))
      }),
  })
  const groups = (isSilent: boolean): Way => ({
    inFlight: IN_FLIGHT.group,
    async send(transfer) {
      await ledger.submit(transfer.posting)
      if (!isSilent) await publish(db, ...balances(transfer))
    },
  })
  return {
    'single bare': single(db, true),
    single: single(db, false),
    'single inside': single(bare, false),
    'groups bare': groups(true),
    groups: groups(false),
  }
}

async function rateOf({ inFlight, send }: Way): Promise<number> {
  const [beganMs, endMs] = [performance.now(), performance.now() + SECONDS * 1000]
  let done = 0
  const client = async () => {
    for (; performance.now() < endMs; done++) await send(randomTransfer())
  }
  await Promise.all(Array.from({ length: inFlight }, client))
  return (done * 1000) / (performance.now() - beganMs)
}

function randomTransfer(): Transfer {
  const from = 1 + Math.floor(Math.random() * USERS)
  const to = ((from + Math.floor(Math.random() * (USERS - 1))) % USERS) + 1
  const movement = { from: userAccount(from, 'wallet'), to: userAccount(to, 'wallet'), amount: micro(1n) }
  return { posting: { kind: 'transfer', reference: newId(), movements: [movement] }, users: [from, to] }
}

async function fill(owner: pg.Client): Promise<void> {
  await owner.query(`insert into users (id, username, wallet_address, referral_code)
    select new_id(), 'bench_' || n, '0x' || lpad(to_hex(n), 40, '0'), upper(lpad(to_hex(n), 8, '0'))
    from generate_series(1, ${USERS}) as n`)
  await owner.query('select ledger_open_accounts(number) from users')
  await owner.query(`select ledger_post_one('chain_deposit', new_id(), null, null, ledger_custody(), number * 16 + 3,
    1000000000000) from users`)
  await owner.query('vacuum analyze')
}
