import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatUsdt, micro, parseUsdt } from '../../../protocol/money.ts'
import { rewards } from '../../../protocol/rewards.ts'
import { systemAccount, userAccount } from '../../ledger/accounts.ts'
import { createTestApi, type TestApi } from '../../testing/api.ts'
import { runAsOwner } from '../../testing/database.ts'
import { aUserWithPlan, createTestClock, fundPool, type TestUser } from '../../testing/plans.ts'
import { rewardJobs } from './jobs.ts'
import { matureLots } from './maturity.ts'

// The specified terms, as plain numbers: what is computed here uses no code of the product.
const plans = { '499': 90, '1999': 120, '5000': 180 }
const ranks = [
  [5_000, 1n],
  [20_000, 2n],
  [100_000, 4n],
] as const

type Lot = { owner: number; usdt: number; from: string; until: string }
type Share = { month: string; owner: number; amount: bigint; until: string; isPaid: boolean }

const START_MS = Date.parse('2029-07-01T00:00:00Z')
const dateAfter = (days: number) => new Date(START_MS + days * 86_400_000).toISOString().slice(0, 10)
const firstOfNext = (date: string) => {
  const [year = 0, month = 0] = date.split('-').map(Number)
  return month === 12 ? `${year + 1}-01-01` : `${year}-${String(month + 1).padStart(2, '0')}-01`
}
const total = (amounts: bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n)

/** Keeps the same records as the product, and computes shares and claims in the simplest way. */
function createCalculation() {
  const parents: (number | undefined)[] = []
  const lots: Lot[] = []
  const funding: { date: string; amount: bigint }[] = []
  const shares: Share[] = []
  const closed: string[] = []

  const volumeOf = (user: number, end: string) => {
    const isBelow = (at: number | undefined): boolean =>
      at !== undefined && (parents[at] === user || isBelow(parents[at]))
    const counts = ({ owner, from, until }: Lot) => isBelow(owner) && from < end && until >= end
    return lots.filter(counts).reduce((sum, { usdt }) => sum + usdt, 0)
  }

  function closeMonth(month: string, today: string) {
    const end = firstOfNext(month)
    const put = total(funding.filter(({ date }) => date < end).map(({ amount }) => amount))
    const promised = total(shares.filter(({ isPaid, until }) => isPaid || until >= end).map(({ amount }) => amount))
    const weights = parents.map((_, user) => ranks.findLast(([volume]) => volumeOf(user, end) >= volume)?.[1] ?? 0n)
    for (const [owner, weight] of weights.entries()) {
      const amount = weight === 0n ? 0n : ((put - promised) * weight) / total(weights)
      // Claimable through the last day of the month in which it was closed.
      if (weight > 0n) shares.push({ month, owner, amount, until: `${today.slice(0, 7)}-31`, isPaid: false })
    }
    closed.push(month)
  }

  return {
    lots,
    shares,
    join(parent: number | undefined, usdt: number, from: string, until: string) {
      lots.push({ owner: parents.push(parent) - 1, usdt, from, until })
    },
    fund: (date: string, amount: bigint) => funding.push({ date, amount }),
    work(today: string) {
      let month = closed.length > 0 ? firstOfNext(closed.at(-1) ?? '') : `${lots[0]?.from.slice(0, 7)}-01`
      for (; firstOfNext(month) <= today; month = firstOfNext(month)) closeMonth(month, today)
    },
    claim(owner: number, today: string) {
      const share = shares.find((own) => own.owner === owner && !own.isPaid && own.amount > 0n && own.until >= today)
      if (share) share.isPaid = true
      return share
    },
  }
}
type Calculation = ReturnType<typeof createCalculation>

const clock = createTestClock('2029-07-01T12:00:00Z')
type Scene = { api: TestApi; users: TestUser[]; calculation: Calculation }
type Step = { kind: 'join' | 'fund' | 'claim' | 'work'; day: number; who: number; usdt: keyof typeof plans }

async function act({ api, users, calculation }: Scene, { kind, day, who, usdt }: Step): Promise<void> {
  const today = dateAfter(day)
  clock.set(`${today}T12:00:00Z`)
  const place = users.length === 0 ? undefined : who % users.length
  const user = place === undefined ? undefined : users[place]
  if (kind === 'join') {
    users.push(await aUserWithPlan(api, usdt, user ? { referralCode: user.referralCode } : {}))
    calculation.join(place, Number(usdt), today, dateAfter(day + plans[usdt]))
  }
  if (kind === 'fund') {
    const amount = `${usdt}.${String(who).padStart(6, '0')}`
    await fundPool(api, 'royalty_pool', amount)
    calculation.fund(today, parseUsdt(amount))
  }
  if (kind === 'work') {
    await matureLots(api.context)
    await rewardJobs(api.context)
      .find(({ name }) => name === 'close-royalty-month')
      ?.run()
    calculation.work(today)
  }
  if (kind === 'claim' && user && place !== undefined) {
    const reply = await api.send('POST', '/release_royalty/', { force_check: true }, { token: user.token })
    const due = calculation.claim(place, today)
    const { month, amount, paid_now = false } = reply.body
    expect(paid_now ? { month, amount } : undefined).toEqual(
      due && { month: due.month, amount: formatUsdt(micro(due.amount)) },
    )
  }
  if (kind === 'fund' || kind === 'claim') await dateEntries(api)
}

/** Moves the pool's entries from the real time to the time of the test's clock. Entries moved before stay. */
const dateEntries = (api: TestApi) =>
  runAsOwner(
    api.database.ownerUrl,
    `set session_replication_role = replica;
     update ledger_entries set posted_at = '${clock.now().toISOString()}'
     where account_id = ${systemAccount('royalty_pool')} and posted_at <= now()`,
  )

async function paidTo({ context }: TestApi, user: TestUser): Promise<bigint> {
  const entries = await context.db
    .selectFrom('ledger_entries')
    .select('amount')
    .where('account_id', '=', userAccount(user.number, 'referral'))
    .where('kind', '=', 'royalty')
    .execute()
  return total(entries.map(({ amount }) => amount))
}

/** Everyone claims everything, and once more. Then all shares and payments are compared. */
async function finish(scene: Scene): Promise<void> {
  const { api, users, calculation } = scene
  for (const who of users.keys()) {
    const own = calculation.shares.filter(({ owner, isPaid }) => owner === who && !isPaid)
    for (let turn = 0; turn <= own.length; turn++) await act(scene, { kind: 'claim', day: END, who, usdt: '499' })
  }
  for (const [place, user] of users.entries()) {
    const own = calculation.shares.filter(({ owner }) => owner === place)
    const { shares } = await api.call(rewards.royaltySummary, {}, user.token)
    expect(shares.map(({ month, amount, state }) => ({ month, amount, isPaid: state === 'paid' }))).toEqual(
      own.map(({ month, amount, isPaid }) => ({ month, amount, isPaid })).reverse(),
    )
    expect(await paidTo(api, user)).toBe(total(own.filter(({ isPaid }) => isPaid).map(({ amount }) => amount)))
  }
}

/** April to June 2030, in days since the start. Plans bought half a year before mature in this quarter. */
const QUARTER = { first: 274, last: 364 }
const END = QUARTER.last + 10
const usdt = fc.constantFrom('499', '1999', '5000', '5000', '5000')
const who = fc.nat(999_999)
const join = fc.record({ kind: fc.constant('join'), day: fc.integer({ min: 100, max: QUARTER.first - 1 }), who, usdt })
const step = fc.record({
  kind: fc.constantFrom('join', 'fund', 'claim', 'claim', 'work'),
  day: fc.integer({ min: QUARTER.first, max: QUARTER.last }),
  who,
  usdt,
})
const history = fc
  .tuple(fc.array(join, { minLength: 7, maxLength: 10 }), fc.array(step, { minLength: 10, maxLength: 20 }))
  .map(([before, during]) => [...before, ...during].sort((a, b) => a.day - b.day) as Step[])

test('property: a quarter with joins, matured plans and late closings pays exactly what a separate calculation says', async () => {
  const seen = { paid: 0, late: 0, lapsed: 0, matured: 0 }
  const check = async (steps: Step[]) => {
    const scene: Scene = { api: await createTestApi({ clock }), users: [], calculation: createCalculation() }
    try {
      for (const one of steps) await act(scene, one)
      await act(scene, { kind: 'work', day: END, who: 0, usdt: '499' })
      await finish(scene)
      const { lots, shares } = scene.calculation
      const paid = shares.filter(({ isPaid }) => isPaid)
      seen.paid += paid.length
      seen.late += paid.filter(({ month, until }) => until.slice(0, 7) > firstOfNext(month).slice(0, 7)).length
      seen.lapsed += shares.filter(({ isPaid, amount }) => !isPaid && amount > 0n).length
      seen.matured += lots.filter(
        ({ until }) => until >= dateAfter(QUARTER.first) && until <= dateAfter(QUARTER.last),
      ).length
    } finally {
      await scene.api.close()
    }
  }
  await fc.assert(fc.asyncProperty(history, check), { numRuns: 4, seed: 2030, endOnFailure: true })
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0)
})
