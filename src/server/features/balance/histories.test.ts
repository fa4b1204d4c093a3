import { afterAll, beforeAll, expect, test } from 'vitest'
import { balance } from '../../../protocol/balance.ts'
import { formatUsdt } from '../../../protocol/money.ts'
import { rewards } from '../../../protocol/rewards.ts'
import { transfers } from '../../../protocol/transfers.ts'
import { withdrawals } from '../../../protocol/withdrawals.ts'
import { aUser } from '../../testing/api.ts'
import { aPlayer, createTestTable, type TestTable } from '../../testing/colour.ts'
import { runTestOps } from '../../testing/ops.ts'
import { signTransfer, type TestUser, withdraw } from '../../testing/payments.ts'
import { giveRewards, giveWallet } from '../../testing/plans.ts'

let table: TestTable
beforeAll(async () => {
  table = await createTestTable()
})
afterAll(() => table.close())

async function sendNote(from: TestUser, to: TestUser, amount: string, note?: string) {
  const body = { to_user: to.username, amount, source: 'wallet' as const, ...(note && { note }) }
  await table.call(transfers.send, { ...body, ...(await signTransfer(from, body)) }, from.token)
}

/** A user who was sent 3 with a note that is a formula, sent 1 without one, and asked for two withdrawals. */
async function aBusyUser() {
  const [user, friend] = [await aUser(table), await aUser(table)]
  await giveWallet(table, user.number, '200')
  await giveWallet(table, friend.number, '10')
  await sendNote(friend, user, '3.000001', '=cmd|"/c calc"!A1, thanks')
  await sendNote(user, friend, '1')
  const { data: refused } = await withdraw(table, user, '120')
  await withdraw(table, user, '30')
  const why = ['--as', 'anna', '--why', 'We could not reach you']
  await runTestOps(table, ['withdrawals', 'reject', `withdrawal_${refused.id}`, ...why])
  return { user, friend }
}

const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
const linesOf = (csv: string) => csv.trimEnd().split('\r\n')

test('transfers can be filtered by direction and period, and so can their CSV file, whose notes run nowhere', async () => {
  const { user, friend } = await aBusyUser()
  const received = await table.call(transfers.history, { direction: 'in' }, user.token)
  expect(received).toMatchObject({ total: 1, data: [{ username: friend.username, direction: 'in' }] })
  expect(await table.call(transfers.history, { page_size: 1 }, user.token)).toMatchObject({ total: 2, page_size: 1 })
  expect((await table.call(transfers.history, { from: tomorrow() }, user.token)).total).toBe(0)
  const { csv, file_name } = await table.call(transfers.historyCsv, { direction: 'in' }, user.token)
  expect(file_name).toBe('transfers.csv')
  const [head, line, ...rest] = linesOf(csv)
  expect([head, rest]).toEqual(['id,direction,username,amount,source,note,sent_at', []])
  expect(line).toContain(`in,${friend.username},3.000001,wallet,"'=cmd|""/c calc""!A1, thanks",`)
})

test('withdrawals can be filtered by state', async () => {
  const { user } = await aBusyUser()
  const refused = await table.call(withdrawals.history, { state: 'refused' }, user.token)
  expect(refused).toMatchObject({ total: 1, data: [{ note: 'We could not reach you' }] })
  expect((await table.call(withdrawals.history, {}, user.token)).total).toBe(2)
  const { csv } = await table.call(withdrawals.historyCsv, { state: 'requested' }, user.token)
  expect(linesOf(csv)).toHaveLength(2)
  expect(csv).toContain(`,30,1.5,28.5,wallet,${user.wallet.address},requested,`)
})

test('a statement names the other side and the note, for the one who sent and the one who received', async () => {
  const { user, friend } = await aBusyUser()
  const named = async ({ token }: { token: string }) => {
    const { data, total } = await table.call(balance.statement, { account: 'wallet' }, token)
    expect(total).toBe(data.length)
    return data.map((row) => [row.kind, formatUsdt(row.amount), row.counterparty, row.note])
  }
  expect(await named(user)).toEqual([
    ['withdrawal_return', '120', user.wallet.address, 'We could not reach you'],
    ['withdrawal', '-30', user.wallet.address, null],
    ['withdrawal', '-120', user.wallet.address, null],
    ['transfer', '-1', friend.username, null],
    ['transfer', '3.000001', friend.username, '=cmd|"/c calc"!A1, thanks'],
    ['chain_deposit', '200', null, null],
  ])
  expect((await named(friend)).slice(0, 2)).toEqual([
    ['transfer', '1', user.username, null],
    ['transfer', '-3.000001', user.username, '=cmd|"/c calc"!A1, thanks'],
  ])
  const { csv } = await table.call(balance.statementCsv, { account: 'wallet', kind: 'transfer' }, user.token)
  expect(linesOf(csv)[0]).toBe('number,posted_at,kind,amount,balance_after,counterparty,note,reference')
  expect(linesOf(csv)).toHaveLength(3)
})

test('a statement does not name the team member whose purchase paid an upline reward', async () => {
  const user = await aUser(table)
  await giveRewards(table, user.number, 'referral', '5')
  const { data } = await table.call(balance.statement, { account: 'referral' }, user.token)
  expect(data).toMatchObject([{ kind: 'upline_reward', counterparty: null, note: null }])
})

test('bets and moves of the bet wallet can be filtered, with the specification’s GET calls', async () => {
  const player = await aPlayer(table, '10')
  const read = async (path: string) => (await table.send('GET', path, undefined, { token: player.token })).body
  await table.send(
    'POST',
    '/betwallet/',
    { direction: 'withdraw', amount: '4', source: 'wallet' },
    { token: player.token },
  )
  await table.send(
    'POST',
    '/betwallet/',
    { direction: 'deposit', amount: '1', source: 'wallet' },
    { token: player.token },
  )
  expect(await read('/betwallet_history/')).toMatchObject({ total: 2, page_size: 50 })
  expect(await read('/betwallet_history/?direction=deposit&page_size=20')).toMatchObject({
    total: 1,
    page_size: 20,
    data: [{ amount: '1', source: 'wallet', state: 'done' }],
  })
  expect(await read('/betwallet_history/?state=to+wallet')).toMatchObject({ total: 0 })
  expect(await read('/betwallet_history/?page_size=51')).toMatchObject({ code: 'invalid_input', field: 'page_size' })
  expect(await read('/bet_history/?state=won&from=2026-01-01')).toMatchObject({ history: [], total: 0 })
  expect(await read('/bet_history/?state=nearly')).toMatchObject({ code: 'invalid_input', field: 'state' })
})

test('every history and its CSV file are only of the caller', async () => {
  const { user } = await aBusyUser()
  const stranger = await aUser(table)
  for (const route of [balance.statement, transfers.history, withdrawals.history, rewards.earnings]) {
    const input = route === balance.statement ? { account: 'wallet' } : {}
    expect(await table.call(route, input as never, stranger.token)).toMatchObject({ data: [], total: 0 })
  }
  for (const path of ['/statement_csv/', '/internal_transfer_history_csv/', '/withdraw_history_csv/']) {
    const body = path === '/statement_csv/' ? { account: 'wallet' } : {}
    const [own, other] = await Promise.all(
      [user, stranger].map(
        async ({ token }) => (await table.send('POST', path, body, { token })).body['csv'] as string,
      ),
    )
    expect([path, linesOf(own ?? '').length > 1, linesOf(other ?? '').length]).toEqual([path, true, 1])
  }
})
