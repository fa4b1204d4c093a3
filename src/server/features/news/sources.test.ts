import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { news } from '../../../protocol/news.ts'
import { support } from '../../../protocol/support.ts'
import { addDays, dayOf } from '../../../protocol/time.ts'
import { users } from '../../../protocol/users.ts'
import { transaction } from '../../platform/db.ts'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'
import { createTestClock } from '../../testing/plans.ts'
import { changeTerms } from '../../testing/terms.ts'
import { answerRequest } from '../support/requests.ts'
import { warnOfStreaks } from '../wellness/streak-news.ts'
import { changeZone } from '../wellness/zones.ts'
import { tellOfTerms } from './terms.ts'

const clock = createTestClock('2026-03-04T10:00:00Z')
let api: TestApi
beforeAll(async () => {
  api = await createTestApi({ clock })
})
afterAll(() => api.close())

type Reader = { token: string }
const kindsOf = async ({ token }: Reader) => (await api.call(news.list, {}, token)).data.map(({ kind }) => kind)

test('an answer of support is news, and not one that was rolled back', async () => {
  const user = await aUser(api)
  const { request } = await api.call(support.open, { topic: 'other', subject: 'Hello', text: 'Hello' }, user.token)
  const answer = { text: 'Hello', close: false, who: 'operator' }
  const failed = transaction(api.context.db, async (tx) => {
    await answerRequest(tx, request.id, answer, clock.now())
    throw new Error('the operator’s machine is gone')
  })
  await expect(failed).rejects.toThrow('gone')
  expect(await kindsOf(user)).toEqual([])
  await transaction(api.context.db, (tx) => answerRequest(tx, request.id, answer, clock.now()))
  expect(await kindsOf(user)).toEqual(['support_answered'])
})

test('a sign-in from a browser that was not used before is news, and from a known one it is not', async () => {
  const user = await aUser(api)
  const [known, other] = [newKey(), newKey()]
  const signIn = async (proof_key: ReturnType<typeof newKey>) =>
    api.call(users.login, { ...(await user.wallet.signIn(api)), proof_key })
  await signIn(known)
  await signIn(known)
  await signIn(other)
  expect(await kindsOf(user)).toEqual(['sign_in', 'sign_in'])
  // The user agent is text that anyone can choose, so it never reaches a message.
  const [item] = (await api.call(news.list, {}, user.token)).data
  expect(item?.text).toMatch(/^Unknown device, 4 March 2026, 10:00 UTC\./)
})

function newKey() {
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
  return { kty: 'EC', crv: 'P-256', x, y } as const
}

/** Closes a ring on each of these days. */
const keep = async (user: number, days: number[]) => {
  const today = dayOf(clock.now())
  for (const back of days)
    await api.context.db
      .insertInto('wellness_completions')
      .values({ user_number: user, day_on: addDays(today, -back), pillar: 'activity', completed_at: clock.now() })
      .execute()
}

test('a streak that ends today is news in the evening of the user, once, unless a freeze or a closed ring saves it', async () => {
  const [tokyo, utc, done, frozen, single] = [
    await aUser(api),
    await aUser(api),
    await aUser(api),
    await aUser(api),
    await aUser(api),
  ]
  // Long ago: days of a journey break no streak.
  clock.set('2026-02-01T10:00:00Z')
  await transaction(api.context.db, (tx) => changeZone(tx, tokyo.number, 'Asia/Tokyo', clock.now()))
  clock.set('2026-03-04T10:00:00Z')
  await keep(tokyo.number, [1, 2, 3])
  await keep(utc.number, [1, 2, 3])
  await keep(done.number, [0, 1, 2])
  await keep(frozen.number, [1, 2, 3, 4, 5, 6, 7])
  await keep(single.number, [1])
  const warned = () => Promise.all([tokyo, utc, done, frozen, single].map(kindsOf))
  await warnOfStreaks(api.context)
  expect(await warned()).toEqual([[], [], [], [], []])
  clock.set('2026-03-04T11:30:00Z')
  await warnOfStreaks(api.context)
  await warnOfStreaks(api.context)
  expect(await warned()).toEqual([['streak_at_risk'], [], [], [], []])
  const [item] = (await api.call(news.list, {}, tokyo.token)).data
  expect(item?.text).toBe('Close a ring by 00:00 to keep your 3-day streak.')
  clock.set('2026-03-04T20:15:00Z')
  await warnOfStreaks(api.context)
  expect(await warned()).toEqual([['streak_at_risk'], ['streak_at_risk'], [], [], []])
})

test('announced terms reach every user once, also when workers share the work or start again', async () => {
  const people = await Promise.all(Array.from({ length: 5 }, () => aUser(api)))
  await changeTerms(api.database.ownerUrl, { withdrawalFeePercent: 4n }, 2 * 86_400)
  await Promise.all([tellOfTerms(api.context), tellOfTerms(api.context)])
  await tellOfTerms(api.context)
  expect(await Promise.all(people.map(kindsOf))).toEqual(people.map(() => ['terms_changing']))
})
