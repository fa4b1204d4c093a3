import { afterAll, beforeAll, expect, it } from 'vitest'
import { colour } from '../../../protocol/colour.ts'
import { parseUsdt } from '../../../protocol/money.ts'
import { getUserBalances } from '../../ledger/balances.ts'
import { transaction } from '../../platform/db.ts'
import { aUser } from '../../testing/api.ts'
import { createTestTable, type TestTable } from '../../testing/colour.ts'
import { fillAccount } from '../../testing/ledger.ts'

let table: TestTable
beforeAll(async () => {
  table = await createTestTable()
})
afterAll(() => table.close())

async function aSaver() {
  const user = await aUser(table)
  await transaction(table.context.db, (tx) => fillAccount(tx, user.number, 'wallet', parseUsdt('50')))
  const move = (direction: string, amount: string, more: object = {}) =>
    table.send('POST', '/betwallet/', { direction, amount, source: 'wallet', ...more }, { token: user.token })
  const holds = async () => {
    const { wallet, bet } = await getUserBalances(table.context.db, user.number)
    return { wallet, bet }
  }
  return { ...user, move, holds }
}

it('moves money from the wallet into the bet wallet and back', async () => {
  const user = await aSaver()
  expect(await user.move('deposit', '20')).toMatchObject({ status: 200, body: { status: 'success' } })
  expect(await user.move('withdraw', '5.5')).toMatchObject({ status: 200 })
  expect(await user.holds()).toEqual({ wallet: parseUsdt('35.5'), bet: parseUsdt('14.5') })
  const { data, total } = await table.call(colour.walletHistory, {}, user.token)
  expect(total).toBe(2)
  expect(data.map(({ direction, amount, source, state }) => [direction, amount, source, state])).toEqual([
    ['withdraw', parseUsdt('5.5'), 'wallet', 'done'],
    ['deposit', parseUsdt('20'), 'wallet', 'done'],
  ])
})

it('returns the first reply for a repeated hash, and the specified error for another body', async () => {
  const user = await aSaver()
  const hash = { trans_hash: 'internalabc123' }
  const replies = await Promise.all(Array.from({ length: 8 }, () => user.move('deposit', '20', hash)))
  expect(new Set(replies.map((reply) => JSON.stringify(reply)))).toHaveLength(1)
  expect(replies[0]?.status).toBe(200)
  expect(await user.holds()).toEqual({ wallet: parseUsdt('30'), bet: parseUsdt('20') })
  for (const [direction, amount] of [
    ['deposit', '21'],
    ['withdraw', '20'],
  ] as const)
    expect(await user.move(direction, amount, hash)).toMatchObject({
      status: 400,
      body: { Msg: 'Transaction already recorded', code: 'already_recorded' },
    })
  expect((await (await aSaver()).move('deposit', '1', hash)).status).toBe(200)
})

it('never moves more than the balance, and a refused move leaves its hash unused', async () => {
  const user = await aSaver()
  const hash = { trans_hash: 'internal-first' }
  expect((await user.move('deposit', '50.000001', hash)).body.code).toBe('insufficient_balance')
  expect((await user.move('withdraw', '0.000001')).body.code).toBe('insufficient_balance')
  expect((await user.move('deposit', '50', hash)).status).toBe(200)
})

it.each([
  ['a withdrawal straight to the chain', { direction: 'withdraw', source: 'chain', trans_hash: `0x${'1'.repeat(64)}` }],
  ['a chain deposit without a hash', { direction: 'deposit', source: 'chain' }],
  ['a chain deposit with an internal hash', { direction: 'deposit', source: 'chain', trans_hash: 'internalx' }],
  ['a malformed hash', { direction: 'deposit', source: 'wallet', trans_hash: 'nonsense' }],
])('refuses %s', async (_name, body) => {
  const user = await aSaver()
  const reply = await table.send('POST', '/betwallet/', { amount: '1', ...body }, { token: user.token })
  expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
})

it.each([
  ['from another wallet', { from_address: `0x${'9'.repeat(40)}` }],
  ['to another address', { to_address: `0x${'9'.repeat(40)}` }],
])('refuses a chain deposit %s', async (_name, fields) => {
  const user = await aSaver()
  const body = { direction: 'deposit', source: 'chain', amount: '1', trans_hash: `0x${'a'.repeat(64)}`, ...fields }
  expect((await table.send('POST', '/betwallet/', body, { token: user.token })).body.code).toBe('payment_refused')
})

it('accepts no money where the game is off, but still pays it out', async () => {
  const off = await createTestTable({ settings: { COLOUR_REAL_MONEY: 'off' } })
  const user = await aUser(off)
  await transaction(off.context.db, (tx) => fillAccount(tx, user.number, 'bet', parseUsdt('5')))
  const send = (path: string, body: object) => off.send('POST', path, body, { token: user.token })
  expect((await send('/place-bet/', { amount: '1', color: 'red' })).body.code).toBe('not_eligible')
  expect((await send('/betwallet/', { direction: 'deposit', amount: '1', source: 'wallet' })).body.code).toBe(
    'not_eligible',
  )
  expect((await send('/betwallet/', { direction: 'withdraw', amount: '5', source: 'wallet' })).status).toBe(200)
  const { data } = await off.call(colour.activeGame, {}, user.token)
  expect(data.closed_because).toContain('not available for real money')
  await off.close()
})
