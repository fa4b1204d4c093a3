import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { colour } from '../../../protocol/colour.ts'
import { deletion } from '../../../protocol/deletion.ts'
import { parseUsdt } from '../../../protocol/money.ts'
import { wellness } from '../../../protocol/wellness.ts'
import { userAccount } from '../../ledger/accounts.ts'
import { runAudit } from '../../ledger/audit.ts'
import { getBalance } from '../../ledger/balances.ts'
import { lockAccounts } from '../../ledger/post.ts'
import { transaction } from '../../platform/db.ts'
import { aUser } from '../../testing/api.ts'
import { aPlayer, createTestTable, fillFees, type TestTable } from '../../testing/colour.ts'
import { requestDeletion, signedDeletion } from '../../testing/deletion.ts'
import { fillAccount } from '../../testing/ledger.ts'
import { signTransfer, type TestUser } from '../../testing/payments.ts'
import { giveWallet } from '../../testing/plans.ts'
import { deletionInvariants } from './invariants.ts'

/** A deletion against everything that runs at the same time. Locks put the steps in the order that would do harm. */
let api: TestTable
beforeAll(async () => {
  api = await createTestTable({ house: '1000' })
})
afterAll(() => api.close())
afterEach(async () => {
  const report = await runAudit(api.context.db, deletionInvariants, { isFull: true })
  expect(report.invariants.flatMap(({ findings }) => findings)).toEqual([])
})

/** Returns once a statement waits for a lock. Throws if the call that should wait has ended. */
async function waitForLock(call: Promise<unknown>): Promise<void> {
  let isOver = false
  const end = () => {
    isOver = true
  }
  call.then(end, end)
  for (; !isOver; await sleep(5)) {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(api.context.db)
    if (rows.length > 0) return
  }
  throw new Error(`the call did not wait: ${JSON.stringify(await call)}`)
}

/** Starts `late` while a lock stops it, and lets it go on after `first` is done. */
async function overtake<Late>(
  hold: (tx: Parameters<Parameters<typeof transaction>[1]>[0]) => Promise<unknown>,
  late: () => Promise<Late>,
  first: () => Promise<unknown>,
): Promise<Late> {
  let running: Promise<Late> | undefined
  await transaction(api.context.db, async (tx) => {
    await hold(tx)
    running = late()
    await waitForLock(running)
    await first()
  })
  return running as Promise<Late>
}

const isDeleted = async ({ number }: TestUser) =>
  (await sql`select from users where number = ${number} and deleted_at is not null`.execute(api.context.db)).rows
    .length === 1

test('a transfer that looked up its recipient before the deletion is refused, and moves nothing', async () => {
  // The sender comes first, so the posting waits for the sender's account before it locks that of the recipient.
  const [sender, user] = [await aUser(api), await aUser(api)]
  await giveWallet(api, sender.number, '20')
  const order = { to_user: user.username, amount: '5', source: 'wallet' } as const
  const body = { ...order, ...(await signTransfer(sender, order)) }
  const reply = await overtake(
    (tx) => lockAccounts(tx, [userAccount(sender.number, 'wallet')]),
    () => api.send('POST', '/internal_transfer/', body, { token: sender.token, 'idempotency-key': 'race' }),
    async () => expect(await requestDeletion(api, user)).toMatchObject({ status: 200 }),
  )
  expect(reply).toMatchObject({ status: 404, body: { code: 'unknown_user' } })
  expect(await getBalance(api.context.db, userAccount(sender.number, 'wallet'))).toBe(parseUsdt('20'))
})

test('a transfer that arrives while the deletion waits stops it', async () => {
  const user = await aUser(api)
  const reply = await overtake(
    (tx) => fillAccount(tx, user.number, 'wallet', parseUsdt('5')),
    () => requestDeletion(api, user),
    async () => undefined,
  )
  expect(reply).toMatchObject({ status: 409, body: { code: 'amount_mismatch' } })
  expect(await isDeleted(user)).toBe(false)
})

test('a call that waits for the deletion is signed out, and leaves no row', async () => {
  const user = await aUser(api)
  const reply = await overtake(
    (tx) => sql`select from users where number = ${user.number} for update`.execute(tx),
    () => api.send('POST', wellness.joinFriends.path, { join: true }, { token: user.token, 'idempotency-key': 'join' }),
    // In the same transaction as the lock: another one would wait for it.
    async () => undefined,
  )
  expect(reply).toMatchObject({ status: 200 })
  const late = await overtake(
    (tx) => sql`select account_delete(${user.number}, 0)`.execute(tx),
    () => api.send('POST', wellness.joinFriends.path, { join: false }, { token: user.token, 'idempotency-key': 'b' }),
    async () => undefined,
  )
  expect(late).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
  const { rows } = await sql`select from wellness_friends where user_number = ${user.number}`.execute(api.context.db)
  expect(rows).toEqual([])
})

test('of a bet and a deletion with the same money only one happens', async () => {
  const round = await api.open()
  for (let turn = 0; turn < 5; turn++) {
    const user = await aUser(api)
    await giveWallet(api, user.number, '5')
    await api.call(colour.wallet, { direction: 'deposit', amount: '5', source: 'wallet' }, user.token)
    const bet = () => api.send('POST', '/place-bet/', { amount: '5', color: 'green' }, { token: user.token })
    const remove = () => requestDeletion(api, user, '5')
    const [first, second] = await Promise.all(turn % 2 ? [bet(), remove()] : [remove(), bet()])
    expect([first.status, second.status].filter((status) => status === 200)).toHaveLength(1)
  }
  await api.closeBetting(round)
  await api.draw(round)
})

test('an upline reward for a bet goes to no ancestor who is deleted while it is paid', async () => {
  const sponsor = await aUser(api)
  const player = await aPlayer(api, '100', { referralCode: sponsor.referralCode })
  await fillFees(api, '10')
  const round = await api.open()
  await api.call(colour.placeBet, { amount: '10', color: 'red' }, player.token)
  await api.closeBetting(round)
  expect(await api.draw(round)).toMatchObject({ state: 'settled' })
  const paid = await overtake(
    // Deletes the sponsor, but does not commit yet: the payment still sees them, and waits for their account.
    (tx) => sql`select account_delete(${sponsor.number}, 0)`.execute(tx),
    () => api.send('POST', '/colorupline_referral/', { amount: '10' }, { token: player.token }),
    async () => undefined,
  )
  expect(paid).toMatchObject({ status: 200 })
  const { rows } = await sql<{ amounts: string }>`
    select amounts::text as amounts from colour_uplines join colour_bets b on b.id = bet_id
    where b.user_number = ${player.number}`.execute(api.context.db)
  expect(rows).toEqual([{ amounts: '{0}' }])
})

test('a deletion whose connection is killed has not happened, and can be repeated', async () => {
  const user = await aUser(api)
  const body = await signedDeletion(user)
  const reply = await overtake(
    (tx) => sql`select from users where number = ${user.number} for update`.execute(tx),
    () => api.send('POST', deletion.remove.path, body, { token: user.token }),
    () =>
      api.owner.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`),
  )
  expect(reply.status).toBeGreaterThanOrEqual(500)
  expect(await isDeleted(user)).toBe(false)
  expect(await requestDeletion(api, user)).toMatchObject({ status: 200 })
})

test('a session for which the account is gone can call nothing, and the wallet signs in to no deleted account', async () => {
  const user = await aUser(api)
  expect(await requestDeletion(api, user)).toMatchObject({ status: 200 })
  expect(await api.send('POST', '/auth/me/', {}, { token: user.token })).toMatchObject({ status: 401 })
  const signed = await user.wallet.signIn(api)
  expect(await api.send('POST', '/auth/login/', signed)).toMatchObject({ body: { code: 'wallet_unregistered' } })
})
