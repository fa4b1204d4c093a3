import { afterAll, beforeAll, expect, test } from 'vitest'
import { add, formatUsdt, parseUsdt, subtract, type Usdt, ZERO } from '../../../protocol/money.ts'
import { systemAccount, userAccount } from '../../ledger/accounts.ts'
import { runAudit } from '../../ledger/audit.ts'
import { ledgerInvariants } from '../../ledger/invariants.ts'
import { post } from '../../ledger/post.ts'
import { newId, transaction } from '../../platform/db.ts'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'
import { signedWithdrawal, signTransfer, type TestUser } from '../../testing/payments.ts'
import { balancesOf, fundPool, giveRewards, giveWallet, purchaseBody } from '../../testing/plans.ts'
import { planInvariants } from '../plans/invariants.ts'
import { releaseHealth } from '../rewards/health.ts'
import { withdrawalInvariants } from '../withdrawals/invariants.ts'

const u = parseUsdt
let api: TestApi

beforeAll(async () => {
  api = await createTestApi()
})
afterAll(() => api.close())

async function giveHealth(user: TestUser, amount: string): Promise<void> {
  await fundPool(api, 'health_pool', amount)
  const movement = { from: systemAccount('health_pool'), to: userAccount(user.number, 'health'), amount: u(amount) }
  await transaction(api.context.db, (tx) =>
    post(tx, { kind: 'daily_reward', reference: newId(), movements: [movement] }),
  )
}

type Way = { name: string; from: 'reward' | 'wallet' | 'health'; amount: string; go: () => Promise<boolean> }

/** Every way to spend a balance, repeated more often than the balance allows. */
function waysOut(user: TestUser, friend: TestUser): Way[] {
  const send = async (path: string, body: object) =>
    (await api.send('POST', path, body, { token: user.token, 'idempotency-key': crypto.randomUUID() })).status === 200
  const withdraw = async (source: 'daily' | 'wallet') =>
    send('/withdraw_request/', await signedWithdrawal(user, '20', { source }))
  const transfer = async (source: 'daily' | 'wallet') => {
    const body = { to_user: friend.username, amount: '15', source }
    return send('/internal_transfer/', { ...body, ...(await signTransfer(user, body)) })
  }
  const release = () =>
    transaction(api.context.db, (tx) =>
      releaseHealth(tx, { userNumber: user.number, amount: u('10'), challenges: 10 }),
    ).then(
      () => true,
      () => false,
    )
  const ways: Way[] = [
    { name: 'withdrawal', from: 'reward', amount: '20', go: () => withdraw('daily') },
    { name: 'transfer', from: 'reward', amount: '15', go: () => transfer('daily') },
    { name: 'top-up', from: 'reward', amount: '10', go: () => send('/gamebuyplan/', purchaseBody(api, user, '9', 5)) },
    { name: 'withdrawal', from: 'wallet', amount: '20', go: () => withdraw('wallet') },
    { name: 'transfer', from: 'wallet', amount: '15', go: () => transfer('wallet') },
    { name: 'plan', from: 'wallet', amount: '10', go: () => send('/gamebuyplan/', purchaseBody(api, user, '10', 1)) },
    { name: 'health release', from: 'health', amount: '10', go: release },
  ]
  return Array.from({ length: 8 }, () => ways).flat()
}

test('concurrent withdrawals, transfers, top-ups and health releases never take more than a balance holds', async () => {
  const [user, friend] = [await aUser(api), await aUser(api)]
  await giveWallet(api, user.number, '30')
  // Above 20 USDT, so that every top-up pays the fee.
  await api.send('POST', '/gamebuyplan/', purchaseBody(api, user, '30', 1), { token: user.token })
  await giveRewards(api, user.number, 'reward', '100')
  await giveWallet(api, user.number, '60')
  await giveHealth(user, '50')

  const ways = waysOut(user, friend)
  const went = await Promise.all(ways.map(async (way) => ({ ...way, ok: await way.go() })))

  const takenFrom = (from: Way['from']): Usdt =>
    add(ZERO, ...went.filter((way) => way.ok && way.from === from).map(({ amount }) => u(amount)))
  const taken = { reward: takenFrom('reward'), wallet: takenFrom('wallet'), health: takenFrom('health') }
  const left = await balancesOf(api, user)
  expect(left).toMatchObject({
    reward: subtract(u('100'), taken.reward),
    wallet: subtract(add(u('60'), taken.health), taken.wallet),
    health: subtract(u('50'), taken.health),
  })
  // The requests far exceeded each balance, so what is left is too little for even the smallest one.
  expect(formatUsdt(taken.health)).toBe('50')
  expect(left['reward']).toBeLessThan(u('10'))
  expect(went.filter(({ ok }) => !ok).length).toBeGreaterThan(20)
  const sent = went.filter(({ ok, name }) => ok && name === 'transfer').length
  expect((await balancesOf(api, friend))['wallet']).toBe(BigInt(sent) * u('15'))

  const checked = [...ledgerInvariants, ...planInvariants, ...withdrawalInvariants]
  const { invariants } = await runAudit(api.context.db, checked)
  expect(invariants.flatMap(({ findings }) => findings)).toEqual([])
})
