import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { colours, colourTable } from '../../../protocol/colour-odds.ts'
import { parseUsdt } from '../../../protocol/money.ts'
import { userAccount } from '../../ledger/accounts.ts'
import { runAudit } from '../../ledger/audit.ts'
import { getBalance } from '../../ledger/balances.ts'
import { invariants } from '../../operators/invariants.ts'
import { testSettings } from '../../testing/api.ts'
import { aPlayer, createTestTable, type TestTable } from '../../testing/colour.ts'
import { startTestNode } from '../../testing/colour-node.ts'

const WORKER = fileURLToPath(new URL('../../testing/colour-worker.ts', import.meta.url))
const KILLS = 6

let table: TestTable
let node: Awaited<ReturnType<typeof startTestNode>>
beforeAll(async () => {
  node = await startTestNode()
  table = await createTestTable({ settings: { RPC_URL: node.url } })
})
afterAll(async () => {
  await table.close()
  await node.close()
})

async function startWorker(): Promise<ChildProcess> {
  const env = { ...testSettings(table.database.appUrl), RPC_URL: node.url }
  const worker = spawn(process.execPath, [WORKER], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  await once(worker.stdout, 'data')
  return worker
}

async function kill(worker: ChildProcess): Promise<void> {
  worker.kill('SIGKILL')
  await once(worker, 'exit')
}

async function playRound(userNumber: number): Promise<bigint> {
  const number = await table.open()
  for (const colour of colours) {
    await table.bet({ userNumber, colour, stake: parseUsdt('1') })
  }
  await table.closeBetting(number)
  return number
}

const stateOf = async (number: bigint) =>
  await table.context.db
    .selectFrom('colour_rounds')
    .select(['state', 'outcome'])
    .where('number', '=', number)
    .executeTakeFirstOrThrow()
const bets = (userNumber: number) => getBalance(table.context.db, userAccount(userNumber, 'bet'))

it('changes nothing when the worker is killed during a settlement, and the next worker completes it', async () => {
  const player = await aPlayer(table)
  const number = await playRound(player.number)
  const before = await bets(player.number)
  // The worker locks the round first and then waits for this row.
  await table.owner.query(
    `begin; select from ledger_accounts where id = ${userAccount(player.number, 'bet')} for update`,
  )
  const first = await startWorker()
  await expect.poll(countWaiting, { timeout: 50_000 }).toBeGreaterThan(0)
  await kill(first)
  await table.owner.query('commit')
  expect((await stateOf(number)).state).toBe('drawn')
  expect(await bets(player.number)).toBe(before)
  const second = await startWorker()
  await expect.poll(async () => (await stateOf(number)).state, { timeout: 50_000 }).toBe('settled')
  await kill(second)
  const { outcome } = await stateOf(number)
  expect(await bets(player.number)).toBe(before + 1_000_000n * colourTable[outcome ?? 'green'].pays)
}, 120_000)

/** Not in the owner's transaction: there pg_stat_activity keeps showing the result of the first query. */
async function countWaiting(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pg_locks l join pg_stat_activity a using (pid)
    where not l.granted and a.datname = current_database()`.execute(table.context.db)
  return rows[0]?.n ?? 0
}

it(`pays every round once even if the worker is killed ${KILLS} times at different points`, async () => {
  const player = await aPlayer(table)
  const rounds: bigint[] = []
  for (let at = 0; at < KILLS; at++) {
    const worker = await startWorker()
    rounds.push(await playRound(player.number))
    await sleep(at * 15)
    await kill(worker)
  }
  const last = await startWorker()
  await expect
    .poll(async () => (await Promise.all(rounds.map(stateOf))).every(({ state }) => /settled|refunded/.test(state)), {
      timeout: 60_000,
    })
    .toBe(true)
  await kill(last)
  let expected = parseUsdt('100') as bigint
  for (const { state, outcome } of await Promise.all(rounds.map(stateOf)))
    if (state === 'settled') expected += 1_000_000n * colourTable[outcome ?? 'green'].pays - 3_000_000n
  expect(await bets(player.number)).toBe(expected)
  expect((await runAudit(table.context.db, invariants)).invariants.flatMap(({ findings }) => findings)).toEqual([])
}, 240_000)
