import { afterAll, beforeAll, expect, it } from 'vitest'
import { colour } from '../../../protocol/colour.ts'
import type { Address } from '../../../protocol/ids.ts'
import { micro, parseUsdt } from '../../../protocol/money.ts'
import { rewards } from '../../../protocol/rewards.ts'
import { systemAccount, userAccount } from '../../ledger/accounts.ts'
import { getBalance } from '../../ledger/balances.ts'
import { post } from '../../ledger/post.ts'
import { newId, transaction } from '../../platform/db.ts'
import { aUser } from '../../testing/api.ts'
import { aPlayer, createTestTable, fillFees as fillFeesOf, type TestTable } from '../../testing/colour.ts'
import { runTestOps } from '../../testing/ops.ts'
import { giveWallet, type TestUser } from '../../testing/plans.ts'
import { requestWithdrawal } from '../withdrawals/withdrawals.ts'
import { bindBlock, revealRound } from './draws.ts'
import { finishRound } from './rounds.ts'
import { sweepUplines } from './uplines.ts'

let table: TestTable
beforeAll(async () => {
  table = await createTestTable()
})
afterAll(() => table.close())

const fillFees = (amount: string) => fillFeesOf(table, amount)

async function emptyFees(): Promise<void> {
  const amount = await getBalance(table.context.db, systemAccount('fees'))
  const movements = [{ from: systemAccount('fees'), to: systemAccount('operator'), amount }]
  await transaction(table.context.db, (tx) => post(tx, { kind: 'fee_collection', reference: newId(), movements }))
}

/** A player with four ancestors. The topmost one is on the fourth level and earns nothing. */
async function aLine() {
  const line = [await aUser(table)]
  for (let level = 0; level < 3; level++)
    line.push(await aUser(table, { referralCode: line.at(-1)?.referralCode ?? '' }))
  const player = await aPlayer(table, '100', { referralCode: line.at(-1)?.referralCode ?? '' })
  const earned = () =>
    Promise.all(line.map(({ number }) => getBalance(table.context.db, userAccount(number, 'referral'))))
  return { player, earned, sponsor: line.at(-1) as TestUser }
}

const bet = (token: string, amount: string) => table.call(colour.placeBet, { amount, color: 'red' }, token)
/** Bets in a round of its own and settles it. */
async function playRound(token: string, amount: string): Promise<void> {
  const round = await table.open()
  await bet(token, amount)
  await table.closeBetting(round)
  expect(await table.draw(round)).toMatchObject({ state: 'settled' })
}
const ask = (token: string, amount: string, key?: string) =>
  table.send('POST', '/colorupline_referral/', { amount }, { token, ...(key && { 'idempotency-key': key }) })

/** Backdates every bet so that the sweep is due. */
const passSweepTime = () =>
  table.owner.query(`begin; set local session_replication_role = replica;
    update colour_bets set placed_at = placed_at - interval '16 minutes';
    update colour_rounds set opens_at = opens_at - interval '16 minutes'; commit`)

it('moves nothing while the round is open, and never for a round that is refunded', async () => {
  await fillFees('10')
  const { player, earned } = await aLine()
  const round = await table.open()
  await bet(player.token, '10')
  const early = await ask(player.token, '10', 'early')
  expect(early).toMatchObject({
    status: 200,
    body: { status: 'success', Msg: 'Your upline will be paid once the round is settled', paid: '0' },
  })
  expect(await earned()).toEqual([0n, 0n, 0n, 0n])
  await table.closeBetting(round, 61)
  expect(await table.draw(round)).toMatchObject({ state: 'refunded' })
  expect(await ask(player.token, '10', 'early')).toMatchObject({ status: 200, body: { paid: '0' } })
  expect((await ask(player.token, '10')).body.code).toBe('amount_mismatch')
  await passSweepTime()
  await sweepUplines(table.context.db)
  expect(await earned()).toEqual([0n, 0n, 0n, 0n])
})

it('waits while the round is drawn but not settled', async () => {
  const { db } = table.context
  await fillFees('10')
  const { player, earned } = await aLine()
  const round = await table.open()
  await bet(player.token, '10')
  await table.closeBetting(round)
  const block = { number: 1n, hash: `0x${'1'.repeat(64)}`, at: new Date(Date.now() + 1_000) }
  await transaction(db, (tx) => bindBlock(tx, round, block))
  await transaction(db, (tx) => revealRound(tx, round))
  expect(await ask(player.token, '10')).toMatchObject({ status: 200, body: { paid: '0' } })
  await passSweepTime()
  await sweepUplines(db)
  expect(await earned()).toEqual([0n, 0n, 0n, 0n])
  await transaction(db, (tx) => finishRound(tx, round))
  expect(await ask(player.token, '10')).toMatchObject({ status: 200, body: { paid: '0.1' } })
  expect(await earned()).toEqual([0n, 20_000n, 30_000n, 50_000n])
})

it('is paid by the sweep after settlement when it was requested while the round was open', async () => {
  await fillFees('10')
  const { player, earned } = await aLine()
  const round = await table.open()
  await bet(player.token, '10')
  await ask(player.token, '10')
  await passSweepTime()
  await sweepUplines(table.context.db)
  expect(await earned()).toEqual([0n, 0n, 0n, 0n])
  await table.closeBetting(round)
  await table.draw(round)
  await Promise.all([sweepUplines(table.context.db), sweepUplines(table.context.db)])
  expect(await earned()).toEqual([0n, 20_000n, 30_000n, 50_000n])
})

it('pays three levels 0.5, 0.3 and 0.2 percent of the stake of a settled round, once per bet', async () => {
  await fillFees('10')
  const { player, earned, sponsor } = await aLine()
  await playRound(player.token, '10')
  expect((await ask(player.token, '9')).body.code).toBe('amount_mismatch')
  expect(await ask(player.token, '10', 'once')).toMatchObject({ status: 200, body: { paid: '0.1' } })
  expect(await earned()).toEqual([0n, 20_000n, 30_000n, 50_000n])
  const { data } = await table.call(rewards.referrals, {}, sponsor.token)
  expect(data).toMatchObject([{ kind: 'colour', level: 1, percent: '0.5', amount: 50_000n, state: 'paid' }])
  expect(await ask(player.token, '10', 'once')).toMatchObject({ status: 200, body: { paid: '0.1' } })
  expect((await ask(player.token, '10')).body.code).toBe('amount_mismatch')
  await playRound(player.token, '10')
  expect((await ask(player.token, '10', 'once')).status).toBe(200)
  expect(await earned()).toEqual([0n, 20_000n, 30_000n, 50_000n])
  await Promise.all(Array.from({ length: 5 }, () => ask(player.token, '10')))
  expect(await earned()).toEqual([0n, 40_000n, 60_000n, 100_000n])
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
  await passSweepTime()
  await Promise.all([sweepUplines(table.context.db), sweepUplines(table.context.db)])
  expect(await earned()).toEqual([0n, 20_000n, 30_000n, 50_000n])
})

it('waits until fees can cover the reward instead of creating money', async () => {
  await emptyFees()
  const { player, earned } = await aLine()
  await playRound(player.token, '10')
  expect(await ask(player.token, '10')).toMatchObject({ status: 200, body: { paid: '0' } })
  await fillFees('1')
  expect(await ask(player.token, '10')).toMatchObject({ status: 200, body: { paid: '0.1' } })
  expect((await earned())[3]).toBe(micro(50_000n))
})

it('never spends the fee of a withdrawal that may still be returned', async () => {
  const { db } = table.context
  await emptyFees()
  const { player, earned } = await aLine()
  await playRound(player.token, '10')
  const owner = await aUser(table)
  await giveWallet(table, owner.number, '200')
  const signed = { nonce: '0'.repeat(32), deadline: new Date(Date.now() + 60_000), signature: '0x00' }
  const user = { number: owner.number, walletAddress: owner.wallet_address as Address }
  const { id } = await transaction(db, (tx) =>
    requestWithdrawal(
      tx,
      { user, amount: parseUsdt('200'), fee: parseUsdt('10'), source: 'wallet', ...signed },
      new Date(),
    ),
  )
  expect(await getBalance(db, systemAccount('fees'))).toBe(parseUsdt('10'))
  expect(await ask(player.token, '10')).toMatchObject({ status: 200, body: { paid: '0' } })
  await passSweepTime()
  await sweepUplines(db)
  expect(await earned()).toEqual([0n, 0n, 0n, 0n])
  await runTestOps(table, ['withdrawals', 'reject', id, '--as', 'anna', '--why', 'test setup'])
  expect(await getBalance(db, userAccount(owner.number, 'wallet'))).toBe(parseUsdt('200'))
})

it('pays nothing for an excluded player', async () => {
  const { player, earned } = await aLine()
  await playRound(player.token, '10')
  await table.call(colour.exclude, { days: 1 }, player.token)
  expect(await ask(player.token, '10')).toMatchObject({ status: 200, body: { paid: '0' } })
  expect(await earned()).toEqual([0n, 0n, 0n, 0n])
})

it('pays nothing to an ancestor who never had a bound session', async () => {
  await fillFees('10')
  const unbound = await aUser(table, { isUnbound: true })
  const bound = await aUser(table, { referralCode: unbound.referralCode })
  const player = await aPlayer(table, '100', { referralCode: bound.referralCode })
  await playRound(player.token, '10')
  expect(await ask(player.token, '10')).toMatchObject({ status: 200, body: { paid: '0.05' } })
  const earned = ({ number }: { number: number }) => getBalance(table.context.db, userAccount(number, 'referral'))
  expect([await earned(unbound), await earned(bound)]).toEqual([0n, 50_000n])
})
