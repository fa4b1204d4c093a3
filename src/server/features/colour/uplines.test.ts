import { afterAll, beforeAll, expect, it } from 'vitest'
import { colour } from '../../../protocol/colour.ts'
import { micro, parseUsdt } from '../../../protocol/money.ts'
import { systemAccount, userAccount } from '../../ledger/accounts.ts'
import { getBalance } from '../../ledger/balances.ts'
import { post } from '../../ledger/post.ts'
import { newId, transaction } from '../../platform/db.ts'
import { aUser } from '../../testing/api.ts'
import { aPlayer, createTestTable, type TestTable } from '../../testing/colour.ts'
import { sweepUplines } from './uplines.ts'

let table: TestTable
beforeAll(async () => {
  table = await createTestTable()
})
afterAll(() => table.close())

/** Puts money into `fees` the way a withdrawal does. */
async function fillFees(amount: string): Promise<void> {
  const payer = await aUser(table)
  const [wallet, fees] = [userAccount(payer.number, 'wallet'), systemAccount('fees')]
  const move = { amount: parseUsdt(amount) }
  await transaction(table.context.db, async (tx) => {
    const deposit = [{ ...move, from: systemAccount('custody'), to: wallet }]
    await post(tx, { kind: 'chain_deposit', reference: newId(), movements: deposit })
    await post(tx, { kind: 'withdrawal', reference: newId(), movements: [{ ...move, from: wallet, to: fees }] })
  })
}

/** A player with four ancestors. The topmost one is on the fourth level and earns nothing. */
async function aLine() {
  const line = [await aUser(table)]
  for (let level = 0; level < 3; level++)
    line.push(await aUser(table, { referralCode: line.at(-1)?.referralCode ?? '' }))
  const player = await aPlayer(table, '100', { referralCode: line.at(-1)?.referralCode ?? '' })
  const earned = () =>
    Promise.all(line.map(({ number }) => getBalance(table.context.db, userAccount(number, 'referral'))))
  return { player, earned }
}

const bet = (token: string, amount: string) => table.call(colour.placeBet, { amount, color: 'red' }, token)
const ask = (token: string, amount: string, key?: string) =>
  table.send('POST', '/colorupline_referral/', { amount }, { token, ...(key && { 'idempotency-key': key }) })

it('pays three levels 0.5, 0.3 and 0.2 percent of the stake, once per bet', async () => {
  await fillFees('10')
  const { player, earned } = await aLine()
  const round = await table.open()
  await bet(player.token, '10')
  expect((await ask(player.token, '9')).body.code).toBe('amount_mismatch')
  expect(await ask(player.token, '10', 'once')).toMatchObject({ status: 200, body: { paid: '0.1' } })
  expect(await earned()).toEqual([0n, 20_000n, 30_000n, 50_000n])
  expect(await ask(player.token, '10', 'once')).toMatchObject({ status: 200, body: { paid: '0.1' } })
  expect((await ask(player.token, '10')).body.code).toBe('amount_mismatch')
  await bet(player.token, '10')
  expect((await ask(player.token, '10', 'once')).status).toBe(200)
  expect(await earned()).toEqual([0n, 20_000n, 30_000n, 50_000n])
  await Promise.all(Array.from({ length: 5 }, () => ask(player.token, '10')))
  expect(await earned()).toEqual([0n, 40_000n, 60_000n, 100_000n])
  await table.closeBetting(round)
  await table.draw(round)
})

it('sweeps unrequested rewards once the round is over, but pays none for refunded bets', async () => {
  await fillFees('10')
  const { player, earned } = await aLine()
  const first = await table.open()
  await bet(player.token, '10')
  await table.closeBetting(first)
  await table.draw(first)
  const second = await table.open()
  await bet(player.token, '20')
  await table.closeBetting(second, 61)
  await table.draw(second)
  await sweepUplines(table.context.db)
  expect(await earned()).toEqual([0n, 0n, 0n, 0n])
  await table.owner.query(`begin; set local session_replication_role = replica;
    update colour_bets set placed_at = placed_at - interval '16 minutes'; commit`)
  await Promise.all([sweepUplines(table.context.db), sweepUplines(table.context.db)])
  expect(await earned()).toEqual([0n, 20_000n, 30_000n, 50_000n])
})

it('waits until fees can cover the reward instead of creating money', async () => {
  const fees = await getBalance(table.context.db, systemAccount('fees'))
  const movements = [{ from: systemAccount('fees'), to: systemAccount('operator'), amount: fees }]
  await transaction(table.context.db, (tx) => post(tx, { kind: 'fee_collection', reference: newId(), movements }))
  const { player, earned } = await aLine()
  const round = await table.open()
  await bet(player.token, '10')
  expect(await ask(player.token, '10')).toMatchObject({ status: 200, body: { paid: '0' } })
  await fillFees('1')
  expect(await ask(player.token, '10')).toMatchObject({ status: 200, body: { paid: '0.1' } })
  expect((await earned())[3]).toBe(micro(50_000n))
  await table.closeBetting(round)
  await table.draw(round)
})

it('pays nothing for an excluded player', async () => {
  const { player, earned } = await aLine()
  const round = await table.open()
  await bet(player.token, '10')
  await table.call(colour.exclude, { days: 1 }, player.token)
  expect(await ask(player.token, '10')).toMatchObject({ status: 200, body: { paid: '0' } })
  expect(await earned()).toEqual([0n, 0n, 0n, 0n])
  await table.closeBetting(round)
  await table.draw(round)
})
