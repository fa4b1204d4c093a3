import { afterAll, beforeAll, expect, test } from 'vitest'
import { colour } from '../../../protocol/colour.ts'
import { parseUsdt } from '../../../protocol/money.ts'
import { plans } from '../../../protocol/plans.ts'
import { referrals, VOLUME_MEMBERS_MIN } from '../../../protocol/referrals.ts'
import { rewards } from '../../../protocol/rewards.ts'
import type { Route, Routes } from '../../../protocol/route.ts'
import { routes } from '../../../protocol/routes.ts'
import { systemAccount, userAccount } from '../../ledger/accounts.ts'
import { post } from '../../ledger/post.ts'
import { newId, transaction } from '../../platform/db.ts'
import { aUser } from '../../testing/api.ts'
import { createTestTable, type TestTable } from '../../testing/colour.ts'
import { fillAccount } from '../../testing/ledger.ts'
import { aUserWithPlan, buyPlan, fundPool, type TestUser } from '../../testing/plans.ts'
import { sweepUplines } from '../colour/uplines.ts'

/** Amounts that appear nowhere else, so that a reply with one of them shows what the member did. */
const PLAN = '137.25'
const STAKES = ['3.75', '4.5']

let api: TestTable
let sponsor: TestUser
let member: TestUser
let grandchild: TestUser
beforeAll(async () => {
  api = await createTestTable()
  await fundPool(api, 'reward_pool', '100')
  sponsor = await aUserWithPlan(api, '100')
  member = await aUser(api, { referralCode: sponsor.referralCode })
  await buyPlan(api, member, PLAN)
  await api.call(plans.upline, { purchase_amount: PLAN }, member.token)
  grandchild = await aUser(api, { referralCode: member.referralCode })
  await playRound()
})
afterAll(() => api.close())

const fill = (user: TestUser, kind: 'bet' | 'wallet', amount: string) =>
  transaction(api.context.db, (tx) => fillAccount(tx, user.number, kind, parseUsdt(amount)))

/** The member and a stranger bet, the round ends, and the sponsor earns from the member's bets. */
async function playRound(): Promise<void> {
  const stranger = await aUser(api)
  await fill(stranger, 'wallet', '10')
  const fee = [{ from: userAccount(stranger.number, 'wallet'), to: systemAccount('fees'), amount: parseUsdt('10') }]
  await transaction(api.context.db, (tx) => post(tx, { kind: 'withdrawal', reference: newId(), movements: fee }))
  const round = await api.open()
  for (const [user, amount] of [[stranger, '1.11'], ...STAKES.map((stake) => [member, stake])] as [
    TestUser,
    string,
  ][]) {
    await fill(user, 'bet', amount)
    await api.call(colour.placeBet, { amount, color: 'red' }, user.token)
  }
  await api.closeBetting(round)
  await api.draw(round)
  await api.owner.query(`begin; set local session_replication_role = replica;
    update colour_bets set placed_at = placed_at - interval '16 minutes'; commit`)
  await sweepUplines(api.context.db)
}

/** Everything that a user can read without knowing an id, as text by route. */
async function readEverything({ token, username }: TestUser): Promise<Record<string, string>> {
  const inputs = [{}, { page_no: 1 }, { user_name: username }, { user_name: member.username }, { beginning: 'user' }]
  const accounts = ['wallet', 'referral'].map((account) => ({ account }))
  const found: Record<string, string> = {}
  for (const [feature, table] of Object.entries<Routes>(routes))
    for (const [name, route] of Object.entries<Route>(table)) {
      if (route.changes || route.path.includes('{')) continue
      for (const input of [...inputs, ...accounts, { days: 30 }, { period: 'week' }]) {
        if (!route.input.safeParse(input).success) continue
        const reply = await api.send(route.method, route.path, route.method === 'GET' ? undefined : input, { token })
        if (reply.status === 200) found[`${feature}.${name} ${JSON.stringify(input)}`] = JSON.stringify(reply.body)
      }
    }
  return found
}

const setHidden = (user: TestUser, hide: boolean) => api.call(referrals.privacy, { hide }, user.token)

test('no call shows an upline what one member holds, buys or bets, unless the member shows their figures', async () => {
  const secrets = [PLAN, ...STAKES, member.wallet_address].map((text) => `"${text}"`)
  const own = Object.values(await readEverything(member)).join()
  expect(secrets.filter((secret) => own.includes(secret))).toEqual(secrets)

  const seen = await readEverything(sponsor)
  expect(Object.keys(seen).length).toBeGreaterThan(25)
  for (const [call, text] of Object.entries(seen))
    for (const secret of secrets) expect(text, `${call} shows ${secret}`).not.toContain(secret)
})

test('rewards from a team are totals by day and level, without names', async () => {
  const { data } = await api.call(rewards.referrals, {}, sponsor.token)
  expect(data.map(({ kind, level, percent, amount, rewards: count }) => [kind, level, percent, amount, count])).toEqual(
    [
      ['colour', 1, '0.5', parseUsdt('0.04125'), 2],
      ['upline', 1, '5', parseUsdt('6.8625'), 1],
    ],
  )
  expect(JSON.stringify(data, (_, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(
    member.username,
  )
})

test('a new member’s figures are hidden in every call until they show them', async () => {
  const views = async () => {
    const { token } = sponsor
    const tree = await api.call(referrals.tree, { user_name: sponsor.username }, token)
    const focused = await api.call(referrals.tree, { user_name: member.username }, token)
    const direct = await api.call(referrals.direct, {}, token)
    const details = await api.call(referrals.details, {}, token)
    const rows = [...tree.data.children, focused.data, ...direct.data, ...details.data]
    return rows
      .filter(({ user_name }) => user_name === member.username)
      .map(({ plan_amount, team_members }) => [plan_amount, team_members])
  }
  expect(await views()).toEqual(Array.from({ length: 4 }, () => [null, null]))
  await setHidden(member, false)
  expect(await views()).toEqual(Array.from({ length: 4 }, () => [parseUsdt(PLAN), expect.any(Number)]))
  await setHidden(member, true)
  expect(await views()).toEqual(Array.from({ length: 4 }, () => [null, null]))
  const own = await api.call(referrals.tree, { user_name: member.username }, member.token)
  expect(own.data.plan_amount).toBe(parseUsdt(PLAN))
  expect((await api.call(referrals.summary, {}, member.token)).data.hides_figures).toBe(true)
})

test('a volume appears once enough members contribute, and never the difference of two volumes', async () => {
  const top = await aUserWithPlan(api, '100')
  const volumes = async () => {
    const { data } = await api.call(referrals.performance, {}, top.token)
    const summary = await api.call(referrals.summary, {}, top.token)
    return { levels: data.map(({ volume }) => volume), total: summary.data.volume }
  }
  const directs: TestUser[] = []
  for (let count = 1; count <= VOLUME_MEMBERS_MIN; count++) {
    expect(await volumes()).toEqual({ levels: directs.length > 0 ? [null] : [], total: 0n })
    directs.push(await aUserWithPlan(api, '50', { referralCode: top.referralCode }))
  }
  expect(await volumes()).toEqual({ levels: [parseUsdt('150')], total: parseUsdt('150') })
  // One member on the second level: their plan must not be the total minus the first level.
  await aUserWithPlan(api, '77', { referralCode: directs[0]?.referralCode ?? '' })
  expect(await volumes()).toEqual({ levels: [parseUsdt('150'), null], total: parseUsdt('150') })
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
