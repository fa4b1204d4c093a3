import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { colour } from '../../../protocol/colour.ts'
import { deletion, obstacleWords } from '../../../protocol/deletion.ts'
import { parseUsdt } from '../../../protocol/money.ts'
import { shares } from '../../../protocol/shares.ts'
import { support } from '../../../protocol/support.ts'
import { transfers } from '../../../protocol/transfers.ts'
import { wellness } from '../../../protocol/wellness.ts'
import { systemAccount, userAccount } from '../../ledger/accounts.ts'
import { getBalance } from '../../ledger/balances.ts'
import { createPool } from '../../platform/db.ts'
import { aUser } from '../../testing/api.ts'
import { type PaymentChain, startPaymentChain } from '../../testing/chain.ts'
import { createTestTable, type TestTable } from '../../testing/colour.ts'
import { deleteUser, requestDeletion, signedDeletion } from '../../testing/deletion.ts'
import { type TestUser, transfer, withdraw } from '../../testing/payments.ts'
import { buyPlan, giveRewards, giveWallet } from '../../testing/plans.ts'

let node: PaymentChain
let api: TestTable
beforeAll(async () => {
  node = await startPaymentChain()
  api = await createTestTable({ settings: node.settings, house: '1000' })
})
afterAll(async () => {
  await api.close()
  await node.stop()
})

const obstaclesOf = async (user: TestUser) => {
  const { data } = await api.call(deletion.preview, {}, user.token)
  return data.obstacles.map(({ obstacle }) => obstacle)
}
const isDeleted = async ({ number }: TestUser) => {
  const { rows } = await sql<{ deleted_at: Date | null }>`
    select deleted_at from users where number = ${number}`.execute(api.context.db)
  return rows[0]?.deleted_at != null
}
const plant = (statements: string) =>
  api.owner.query(`begin; set local session_replication_role = replica; ${statements}; commit`)
const refused = (code: string, message?: string) => ({ body: { code, ...(message && { message }) } })

describe('what stops a deletion', () => {
  const obstacles: [keyof typeof obstacleWords, string, (user: TestUser) => Promise<unknown>][] = [
    ['wallet', 'money to withdraw', ({ number }) => giveWallet(api, number, '50')],
    ['reward', 'daily rewards', ({ number }) => giveRewards(api, number, 'reward', '50')],
    ['plan', 'an active plan', (user) => buyPlan(api, user, '100')],
    ['excluded', 'a break from the game', ({ token }) => api.call(colour.exclude, { days: 30 }, token)],
    [
      'support',
      'a question about money',
      ({ token }) => api.call(support.open, { topic: 'money', subject: 'Where?', text: 'Where is it?' }, token),
    ],
    [
      'frozen',
      'a frozen account',
      ({ number }) => plant(`update users set frozen_at = now() where number = ${number}`),
    ],
    [
      'held',
      'a reward on hold',
      ({ number }) => plant(`update ledger_accounts set balance = 1 where id = ${userAccount(number, 'hold')}`),
    ],
    [
      'royalty',
      'a royalty to claim',
      ({ number }) =>
        plant(`insert into royalty_months (month, budget, weight, claimable_until) values ('2026-01-01', 5, 1, current_date + 60);
          insert into royalty_shares (id, month, user_number, rank, volume, weight, amount)
            values (new_id(), '2026-01-01', ${number}, 'Silver', 1, 1, 5)`),
    ],
    [
      'due',
      'a reward that the pool could not pay',
      ({ number }) =>
        plant(`insert into upline_rewards (order_id, level, user_number, percent, amount)
          values (new_id(), 1, ${number}, 5, 5)`),
    ],
    [
      'payment',
      'a payment that is announced',
      ({ number }) =>
        plant(`insert into chain_claims (id, chain_id, tx_hash, user_number, product, amount)
          values (new_id(), 31337, '0x${'c'.repeat(64)}', ${number}, 'wallet', 5)`),
    ],
  ]
  test.each(obstacles)('%s: %s', async (obstacle, _what, prepare) => {
    const user = await aUser(api)
    expect(await obstaclesOf(user)).toEqual([])
    await prepare(user)
    expect(await obstaclesOf(user)).toEqual([obstacle])
    const reply = await requestDeletion(api, user)
    if (obstacle === 'frozen') expect(reply).toMatchObject(refused('user_frozen'))
    else expect(reply).toMatchObject(refused('deletion_refused', obstacleWords[obstacle]))
    expect(await isDeleted(user)).toBe(false)
  })

  test('an open withdrawal, and an open bet', async () => {
    const user = await aUser(api)
    await giveWallet(api, user.number, '40')
    await withdraw(api, user, '20')
    await api.call(colour.wallet, { direction: 'deposit', amount: '20', source: 'wallet' }, user.token)
    const round = await api.open()
    await api.call(colour.placeBet, { amount: '20', color: 'green' }, user.token)
    expect((await obstaclesOf(user)).toSorted()).toEqual(['open_bet', 'withdrawal'])
    expect(await requestDeletion(api, user)).toMatchObject({ status: 409 })
    await api.closeBetting(round)
    await api.draw(round)
    expect(await obstaclesOf(user)).not.toContain('open_bet')
  })

  test('an amount that is too small to withdraw is given up, exactly as signed', async () => {
    const user = await aUser(api)
    await giveWallet(api, user.number, '3.5')
    const { data } = await api.call(deletion.preview, {}, user.token)
    expect(data).toMatchObject({ obstacles: [], given_up: parseUsdt('3.5') })
    expect(await requestDeletion(api, user, '0')).toMatchObject(refused('amount_mismatch'))
    expect(await requestDeletion(api, user, '3.5', { signedAmount: '0' })).toMatchObject(refused('signature_refused'))
    const fees = await getBalance(api.context.db, systemAccount('fees'))
    await deleteUser(api, user, '3.5')
    expect(await getBalance(api.context.db, systemAccount('fees'))).toBe(fees + parseUsdt('3.5'))
  })
})

describe('who can delete an account', () => {
  test('a stolen session without the wallet cannot', async () => {
    const [user, thief] = [await aUser(api), await aUser(api)]
    expect(await requestDeletion(api, user, '0', { signer: thief })).toMatchObject(refused('signature_refused'))
    const theirs = await signedDeletion(thief)
    const reply = await api.send('POST', deletion.remove.path, theirs, { token: user.token })
    expect(reply).toMatchObject(refused('signature_refused'))
    expect(await isDeleted(user)).toBe(false)
  })

  test('a signature for another account, another chain, or another time does not count', async () => {
    const [user, other] = [await aUser(api), await aUser(api)]
    const wrong = [{ account: other }, { chainId: 1 }, { minutes: -1 }, { minutes: 60 }]
    for (const changes of wrong)
      expect(await requestDeletion(api, user, '0', changes)).toMatchObject(refused('signature_refused'))
    expect(await isDeleted(user)).toBe(false)
  })

  test('two calls at once delete once; a replay finds no session, and not the account that came after', async () => {
    const user = await aUser(api)
    const body = await signedDeletion(user)
    const send = () => api.send('POST', deletion.remove.path, body, { token: user.token })
    const statuses = (await Promise.all([send(), send(), send()])).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 401, 401])
    expect((await send()).status).toBe(401)
    const again = await aUser(api, { wallet: user.wallet })
    const replay = await api.send('POST', deletion.remove.path, body, { token: again.token })
    expect(replay).toMatchObject(refused('signature_refused'))
    expect(await isDeleted(again)).toBe(false)
  })
})

test('a call that began before the deletion stores nothing after it', async () => {
  const user = await aUser(api)
  await deleteUser(api, user)
  const writes = [
    `insert into wellness_friends (user_number, joined) values (${user.number}, true)`,
    `insert into idempotency_keys (user_number, scope, key, digest, reply) values (${user.number}, 'a', 'b', repeat('0', 64), '{}')`,
    `insert into sessions (id, user_number, token_hash) values (new_id(), ${user.number}, sha256('x'))`,
  ]
  for (const write of writes) await expect(api.owner.query(write)).rejects.toThrow(`user ${user.number} is deleted`)
  // What the worker adds for many users at once leaves the deleted one out.
  const { rows } = await api.owner.query(`insert into news (user_number, id, kind, key, facts)
    select number, new_id(), 'terms_announced', 'test', '{}' from users returning user_number`)
  expect(rows.length).toBeGreaterThan(1)
  expect(rows.map(({ user_number }) => user_number)).not.toContain(user.number)
  await expect(api.owner.query(`update users set points = 5 where number = ${user.number}`)).rejects.toThrow(
    'is deleted',
  )
})

test('rows of users who are not deleted stay append-only, and a user changes only as a whole', async () => {
  const user = await aUser(api)
  await api.call(wellness.zone, { zone: 'Europe/Paris' }, user.token)
  const { number } = user
  for (const statement of [
    `delete from wellness_zones where user_number = ${number}`,
    `update users set deleted_at = now(), given_up = 0 where number = ${number}`,
    `update users set deleted_at = now(), given_up = 0, username = 'deleted_${number}',
      wallet_address = '0x${'9'.repeat(40)}', referral_code = 'AAAAAAAA' where number = ${number}`,
    `update users set wallet_address = deleted_address(id) where number = ${number}`,
    `update users set username = 'deleted_${number}' where number = ${number}`,
  ])
    await expect(api.owner.query(statement)).rejects.toThrow()
})

test('a stolen login deletes no account with money, and that of another process none at all', async () => {
  const user = await aUser(api)
  await giveWallet(api, user.number, '50')
  const run = async (login: 'api' | 'worker' | 'operator' | 'seeds', statement: string) => {
    const pool = createPool(api.database.urls[login], 1)
    return pool.query(statement).finally(() => pool.end())
  }
  const remove = `select account_delete(${user.number}, 50000000) as stopped_by`
  expect((await run('api', remove)).rows).toEqual([{ stopped_by: ['wallet'] }])
  for (const login of ['worker', 'operator', 'seeds'] as const)
    await expect(run(login, remove)).rejects.toThrow('permission denied')
  for (const statement of [
    `update users set deleted_at = now() where number = ${user.number}`,
    `select deletion_close_accounts(${user.number}, new_id())`,
    `delete from wellness_zones where user_number = ${user.number}`,
  ])
    await expect(run('api', statement)).rejects.toThrow('permission denied')
  expect(await isDeleted(user)).toBe(false)
})

test('a name of a deleted user cannot be registered', async () => {
  for (const username of ['deleted_5', 'deleted', 'd3leted_99']) {
    const reply = await aUser(api, { username }).catch((error: Error) => error.message)
    expect(reply).toMatch(/reserved|mistaken/)
  }
})

test('other users see no trace of the name, and cannot invite with the code or send money', async () => {
  const sponsor = await aUser(api)
  const user = await aUser(api, { referralCode: sponsor.referralCode })
  const member = await aUser(api, { referralCode: user.referralCode })
  await giveWallet(api, user.number, '10')
  await giveWallet(api, member.number, '10')
  await transfer(api, user, member, '10')
  await api.call(wellness.log, { kind: 'steps', steps: 12_000 }, user.token)
  const shared = await api.call(shares.create, { kind: 'rings' }, user.token).catch(() => undefined)
  await deleteUser(api, user)

  const read = (path: string, token: string, body: object = {}) => api.send('POST', path, body, { token })
  const pages = await Promise.all([
    ...['/auth/me/', '/internal_transfer_history/', '/statement/', '/records/'].map((path) =>
      read(path, member.token, path === '/statement/' ? { account: 'wallet' } : {}),
    ),
    ...['/Direct_referral_list/', '/referral_summary/', '/business_performance/'].map((path) =>
      read(path, sponsor.token),
    ),
  ])
  expect(pages.map(({ status }) => status)).toEqual(pages.map(() => 200))
  expect(JSON.stringify(pages)).not.toContain(user.username)
  expect(JSON.stringify(pages)).toContain(`deleted_${user.number}`)
  expect(await api.send('GET', `/auth/sponsor/${user.referralCode}/`)).toMatchObject({ status: 404 })
  const { rows } = await sql<{ referral_code: string }>`
    select referral_code from users where number = ${user.number}`.execute(api.context.db)
  expect(await api.send('GET', `/auth/sponsor/${rows[0]?.referral_code}/`)).toMatchObject({ status: 404 })
  for (const to_user of [user.username, `deleted_${user.number}`])
    expect(await read(transfers.recipient.path, member.token, { to_user })).toMatchObject({ status: 404 })
  if (shared) expect(await api.send('GET', `/share/${shared.token}/`)).toMatchObject({ status: 404 })
})
