import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Colour, colours, colourTable } from '../../../protocol/colour-odds.ts'
import { micro } from '../../../protocol/money.ts'
import { userAccount } from '../../ledger/accounts.ts'
import { runAudit } from '../../ledger/audit.ts'
import { getBalance } from '../../ledger/balances.ts'
import { invariants } from '../../operators/invariants.ts'
import { aPlayer, createTestTable, type TestTable } from '../../testing/colour.ts'
import { startTestNode } from '../../testing/colour-node.ts'
import { numberFromOutside } from '../../testing/numbers.ts'
import { createRandom } from '../../testing/random.ts'
import type { NewBet } from './betting.ts'
import { readFairness } from './fairness.ts'
import { drawDue, finishDue } from './runner.ts'

const ROUNDS = numberFromOutside('ROUNDS', 200)
const SCRIPT = fileURLToPath(new URL('../../../../scripts/verify-round.ts', import.meta.url))

let table: TestTable
let node: Awaited<ReturnType<typeof startTestNode>>
let url: string
beforeAll(async () => {
  node = await startTestNode()
  table = await createTestTable({ house: '100000', settings: { RPC_URL: node.url } })
  url = await table.http.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await table.close()
  await node.close()
})

const verify = (...args: string[]) =>
  promisify(execFile)(process.execPath, [SCRIPT, ...args, '--url', url, '--rpc', node.url]).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { code: number; stdout: string }) => ({ code: error.code, stdout: error.stdout }),
  )

it('pays every round by the odds table, and a separate script recomputes them from public data', async () => {
  const random = createRandom(7)
  const players = await Promise.all(Array.from({ length: 8 }, () => aPlayer(table, '5000')))
  const expected = new Map(players.map(({ number }) => [number, 5_000_000_000n]))
  for (let count = 0; count < ROUNDS; count++) {
    const number = await table.open()
    const bets: NewBet[] = []
    for (let at = random(4); at > 0; at--) {
      const userNumber = players[random(players.length)]?.number ?? 0
      const bet = {
        userNumber,
        colour: colours[random(3)] as Colour,
        stake: micro(BigInt(100_000 + random(3_000_000))),
      }
      await table.bet(bet)
      bets.push(bet)
    }
    await table.closeBetting(number)
    await drawDue(table.context)
    await finishDue(table.context)
    const { outcome } = await table.context.db
      .selectFrom('colour_rounds')
      .select('outcome')
      .where('number', '=', number)
      .executeTakeFirstOrThrow()
    for (const { userNumber, colour, stake } of bets) {
      const payout = colour === outcome ? stake * colourTable[colour].pays : 0n
      expected.set(userNumber, (expected.get(userNumber) ?? 0n) - stake + payout)
    }
  }
  for (const [number, amount] of expected)
    expect(await getBalance(table.context.db, userAccount(number, 'bet'))).toBe(amount)
  const verified = await verify(`1-${ROUNDS}`)
  expect(verified).toEqual({ code: 0, stdout: `${ROUNDS} checked, all correct\n` })
  expect((await runAudit(table.context.db, invariants)).passed).toBe(true)
  const fairness = await readFairness(table.context.db)
  expect(fairness.rounds).toBe(ROUNDS)
  expect(fairness.chi_square).toBeLessThan(13.82)
  expect(Math.abs(fairness.paid_deviation)).toBeLessThan(3.3)
}, 600_000)

it.each([
  ['a wrong draw', 'draw = (draw + 1) % 100', /claims the draw was \d+, but seed and block give \d+/],
  ['a block that is not the first', `block_number = block_number + 1`, /different hash on chain/],
  ['a seed from outside the chain', `seed = sha256('x')`, /not in the published chain/],
])('the script detects %s', async (_name, change, words) => {
  await table.owner.query(`begin; set local session_replication_role = replica;
    update colour_rounds set ${change} where number = 7; commit`)
  const { code, stdout } = await verify('7')
  expect(code).toBe(1)
  expect(stdout).toMatch(words)
})

it('draws only from a block at or after closing, and refunds the stakes when there is none', async () => {
  const [player] = [await aPlayer(table, '10')]
  node.stall(Math.floor(Date.now() / 1000) - 100)
  const number = await table.open()
  await table.bet({ userNumber: player.number, colour: 'red', stake: micro(1_000_000n) })
  await table.closeBetting(number)
  await drawDue(table.context)
  await finishDue(table.context)
  expect(await getBalance(table.context.db, userAccount(player.number, 'bet'))).toBe(9_000_000n)
  await table.closeBetting(number, 61)
  await finishDue(table.context)
  expect(await getBalance(table.context.db, userAccount(player.number, 'bet'))).toBe(10_000_000n)
  node.stall(undefined)
})
