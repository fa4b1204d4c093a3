import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseUsdt } from '../../../protocol/money.ts'
import { plans } from '../../../protocol/plans.ts'
import { referrals } from '../../../protocol/referrals.ts'
import { rewards } from '../../../protocol/rewards.ts'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'
import { aUserWithPlan, buyPlan, fundPool, type TestUser } from '../../testing/plans.ts'

let api: TestApi
let sponsor: TestUser
let member: TestUser
let grandchild: TestUser
beforeAll(async () => {
  api = await createTestApi()
  await fundPool(api, 'reward_pool', '100')
  sponsor = await aUserWithPlan(api, '100')
  member = await aUser(api, { referralCode: sponsor.referralCode })
  await buyPlan(api, member, '100')
  await api.call(plans.upline, { purchase_amount: '100' }, member.token)
  grandchild = await aUser(api, { referralCode: member.referralCode })
})
afterAll(() => api.close())

const hide = (hidden: boolean) => api.call(referrals.privacy, { hide: hidden }, member.token)

/** How each call shows the member to the sponsor. */
async function seenBySponsor() {
  const { token } = sponsor
  const own = await api.call(referrals.tree, { user_name: sponsor.username }, token)
  const focused = await api.call(referrals.tree, { user_name: member.username }, token)
  const direct = await api.call(referrals.direct, {}, token)
  const details = await api.call(referrals.details, {}, token)
  const history = await api.call(rewards.referrals, {}, token)
  const isMember = ({ user_name }: { user_name: string }) => user_name === member.username
  const views = [
    own.data.children.find(isMember),
    focused.data,
    direct.data.find(isMember),
    details.data.find(isMember),
  ]
  return {
    figures: views.map((view) => [view?.plan_amount, view?.team_members, view?.team_volume]),
    buyer: history.data[0]?.from_user,
    reward: history.data[0],
  }
}

test('a member who hides their figures appears without them in every call, and rewards do not show their name', async () => {
  const open = await seenBySponsor()
  expect(open.figures).toEqual(Array.from({ length: 4 }, () => [parseUsdt('100'), expect.any(Number), 0n]))
  expect(open.buyer).toBe(member.username)

  await hide(true)
  const hidden = await seenBySponsor()
  expect(hidden.figures).toEqual(Array.from({ length: 4 }, () => [null, null, null]))
  expect(hidden.buyer).toBeNull()
  expect(hidden.reward).toMatchObject({ level: 1, percent: '5', amount: parseUsdt('5') })
  const own = await api.call(referrals.tree, { user_name: member.username }, member.token)
  expect(own.data.plan_amount).toBe(parseUsdt('100'))
  expect((await api.call(referrals.summary, {}, member.token)).data.hides_figures).toBe(true)

  await hide(false)
  expect((await seenBySponsor()).figures).toEqual(open.figures)
})

test('a user outside your downline gets exactly the same reply as one who does not exist', async () => {
  const ask = async (user_name: string) => {
    const reply = await api.send('POST', '/direct_referral_tree/', { user_name }, { token: member.token })
    return { ...reply, body: { ...reply.body, request_id: '' } }
  }
  const unknown = await ask('nobody_at_all')
  expect(unknown.status).toBe(404)
  for (const { username } of [sponsor, await aUser(api)]) expect(await ask(username)).toEqual(unknown)
  expect((await ask(grandchild.username)).status).toBe(200)
  const { data } = await api.call(referrals.search, { beginning: sponsor.username }, member.token)
  expect(data).toEqual([])
})
