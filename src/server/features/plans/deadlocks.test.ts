import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseUsdt } from '../../../protocol/money.ts'
import { userAccount } from '../../ledger/accounts.ts'
import { post } from '../../ledger/post.ts'
import { newId } from '../../platform/db.ts'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'
import { createOwnerPool } from '../../testing/database.ts'
import { aUserWithPlan, balancesOf, fundPool, giveRewards, giveWallet, newKey } from '../../testing/plans.ts'
import { buyFromWallet } from './purchases.ts'

let api: TestApi
beforeAll(async () => {
  api = await createTestApi()
  await fundPool(api, 'reward_pool', '1000')
})
afterAll(() => api.close())

test('a purchase locks the upline it pays together with its own accounts, so a transfer between them waits', async () => {
  const sponsor = await aUserWithPlan(api, '100')
  const buyer = await aUser(api, { referralCode: sponsor.referralCode })
  await giveWallet(api, buyer.number, '100')
  await giveRewards(api, sponsor.number, 'referral', '10')
  const { db } = api.context
  const owner = createOwnerPool(api.database.ownerUrl, 2)
  const blocker = await owner.connect()
  const waiting = async () =>
    (await owner.query(`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`))
      .rows.length

  // Stops the purchase after it locked accounts and before it pays the upline.
  await blocker.query('begin; lock table team_deltas in exclusive mode')
  const purchase = { userNumber: buyer.number, packageType: 2, amount: parseUsdt('100'), transHash: newKey() }
  const bought = db.transaction().execute((tx) => buyFromWallet(tx, { ...purchase, today: '2030-01-01' as never }))
  await expect.poll(waiting).toBe(1)
  const [from, to] = [userAccount(sponsor.number, 'referral'), userAccount(buyer.number, 'wallet')]
  const movements = [{ from, to, amount: parseUsdt('10') }]
  const sent = db.transaction().execute((tx) => post(tx, { kind: 'transfer', reference: newId(), movements }))
  await expect.poll(waiting).toBe(2)
  await blocker.query('commit')

  // Without retries: a deadlock would fail one of them.
  expect(await Promise.all([bought, sent])).toHaveLength(2)
  expect(await balancesOf(api, buyer)).toMatchObject({ wallet: parseUsdt('10'), plan: parseUsdt('100') })
  blocker.release()
  await owner.end()
})
