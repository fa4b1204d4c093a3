import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rewards } from '../../../protocol/rewards.ts'
import { formatReport, runAudit } from '../../ledger/audit.ts'
import { invariants } from '../../operators/invariants.ts'
import { createDb, createPool, type Db } from '../../platform/db.ts'
import { createTestApi, type TestApi } from '../../testing/api.ts'
import { auditAfter, CHECKPOINTS } from '../../testing/corruption.ts'
import { aUserWithPlan, createTestClock, fundPool, purchaseBody } from '../../testing/plans.ts'

const clock = createTestClock('2030-05-10T12:00:00Z')
let api: TestApi
let owner: Db

// A sponsor and a member with plans, two months of rewards, a top-up with a settled fee and one with an open fee.
beforeAll(async () => {
  api = await createTestApi({ clock })
  owner = createDb(createPool(api.database.ownerUrl, 1))
  await fundPool(api, 'reward_pool', '1000')
  await fundPool(api, 'health_pool', '100')
  const sponsor = await aUserWithPlan(api, '100')
  const user = await aUserWithPlan(api, '2000', { referralCode: sponsor.referralCode })
  clock.addDays(60)
  await api.call(rewards.claim, { user_id: `user_${user.id}` }, user.token)
  const buy = (amount: string, type: number) =>
    api.send('POST', '/gamebuyplan/', purchaseBody(api, user, amount, type), { token: user.token })
  expect((await buy('90', 5)).status).toBe(200)
  expect((await buy('10', 7)).status).toBe(200)
  expect((await buy('45', 5)).status).toBe(200)
})
afterAll(async () => {
  await owner.destroy()
  await api.close()
})

const feeRule = 'alter table plan_orders drop constraint fee_follows_the_rule'
const topUp = '(select id from plan_orders where package_type = 5 and fee_completed_at is null)'

const corruptions: [number, string, string[]][] = [
  [13, 'a fee that is not a tenth', [feeRule, `update plan_orders set fee = fee + 1 where id = ${topUp}`]],
  [13, 'a fee on a plan of 20 USDT', [`${feeRule}; update plan_orders set plan_before = 20000000 where id = ${topUp}`]],
  [13, 'a top-up without an order', [`delete from plan_orders where id = ${topUp}`]],
  [13, 'a settled fee that was not posted', [`update plan_orders set fee_completed_at = now() where id = ${topUp}`]],
  [13, 'a lot with a changed amount', [`update plan_lots set amount = amount + 1 where order_id = ${topUp}`]],
  [14, 'principal without a lot', ['delete from plan_lots where number = 1']],
  [
    14,
    'a matured lot that kept its principal',
    ['update plan_lots set matured_at = now(), maturity_reference = new_id() where number = 1'],
  ],
  [
    14,
    'principal above the cap',
    ["update ledger_entries set balance_after = 5000000001 where kind = 're_top_up' and account_id & 15 = 0"],
  ],
  [
    15,
    'a reward with a changed amount',
    ['update daily_rewards set amount = amount + 1 where earned_on = (select max(earned_on) from daily_rewards)'],
  ],
  [
    15,
    'a reward on the day the lot started',
    [
      "insert into daily_rewards select earned_on - 60, user_number, lot_number, amount, health, reference from daily_rewards where earned_on = '2030-07-09'",
    ],
  ],
  [15, 'a deleted reward', ["delete from daily_rewards where earned_on = '2030-06-01'"]],
  [15, "a reward for another user's lot", ["update daily_rewards set user_number = 1 where earned_on = '2030-06-01'"]],
  [
    15,
    'a deferral of a reward that was paid',
    [
      "insert into reward_deferrals select earned_on, user_number, lot_number, 'reward', amount from daily_rewards where earned_on = '2030-06-01'",
    ],
  ],
  [17, 'a reward for a user who is not an ancestor', ['update upline_rewards set user_number = 2']],
  [17, 'a reward with a changed rate', ['update upline_rewards set percent = percent + 1']],
  [17, 'a wrong level', ['update upline_rewards set level = 2']],
  [17, 'a payment without a reward', ['delete from upline_rewards']],
  [17, 'a reward for a purchase that was not posted', ["delete from ledger_postings where kind = 'plan_purchase'"]],
]

describe.each(CHECKPOINTS)('%s', (_age, setCheckpoint) => {
  beforeAll(() => setCheckpoint({ db: api.context.db, ownerUrl: api.database.ownerUrl, invariants }))

  test.each(corruptions)('invariant %i reports %s', async (number, _what, statements) => {
    const report = await auditAfter(owner, statements, invariants)
    expect(report.invariants.find((invariant) => invariant.number === number)?.findings).not.toEqual([])
    expect(formatReport(report)).toMatch(new RegExp(`^ +${number}  .*BROKEN`, 'm'))
  })

  test('intact books pass the audit', async () => {
    expect(formatReport(await runAudit(api.context.db, invariants))).toContain('All invariants hold.')
  })
})
