import type { AddressInfo } from 'node:net'
import type { EventSourceMessage } from 'eventsource-parser/stream'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { users } from '../../protocol/users.ts'
import { aUser, createTestApi, type TestApi } from '../testing/api.ts'
import { isListening } from '../testing/events.ts'
import { openPage } from '../testing/pages.ts'
import { publish } from './events.ts'
import { createSlots } from './slots.ts'

let api: TestApi
let address: string
beforeAll(async () => {
  api = await createTestApi()
  await api.http.listen({ port: 0 })
  address = `http://127.0.0.1:${(api.http.server.address() as AddressInfo).port}/api/events/`
})
afterAll(() => api.close())

const listening = () => isListening(api.context.db)

const listen = (headers: Record<string, string>, url = address) => openPage(url, headers)

test('a stream carries public events and your own, in the standard format', async () => {
  const [anna, ben] = [await aUser(api), await aUser(api)]
  await expect.poll(listening).toBe(true)
  const streams = await Promise.all([
    listen({ Token: anna.token }),
    listen({ Authorization: `DPoP ${ben.token}` }),
    listen({}),
  ])
  const data = { text: 'two\nlines: and a colon', number: 1 }
  await publish(
    api.context.db,
    { topic: 'balance', user: anna.number },
    { topic: 'balance', user: ben.number },
    { topic: 'round', data },
  )
  const round = { event: 'round', data: JSON.stringify(data), id: undefined }
  const balance = { event: 'balance', data: '{}', id: undefined }
  for (const [{ heard, retries, reply }, own] of streams.map(
    (stream, at) => [stream, at < 2 ? [balance] : []] as const,
  )) {
    await expect.poll(() => heard).toEqual([...own, round])
    expect(retries).toEqual([2_000])
    expect(reply.headers.get('content-type')).toBe('text/event-stream')
  }
  await Promise.all(streams.map(({ stop }) => stop()))
})

/** A user with an open stream and a second session. */
async function aListener() {
  const user = await aUser(api)
  await expect.poll(listening).toBe(true)
  const other = await api.call(users.login, await user.wallet.signIn(api))
  return { ...user, otherToken: other.token, stream: await listen({ Token: user.token }) }
}
const privateEvent = (user: { number: number }) =>
  publish(api.context.db, { topic: 'balance', user: user.number }, { topic: 'round' })
/** Without news: a sign-in is news for its user, and that event may still be on its way when a stream opens. */
const topics = ({ heard }: { heard: EventSourceMessage[] }) =>
  heard.map(({ event }) => event).filter((event) => event !== 'news')

test('a stream ends when its session signs out, and the other sessions of the user keep theirs', async () => {
  const user = await aListener()
  const other = await listen({ Token: user.otherToken })
  await api.call(users.logout, {}, user.token)
  await user.stream.ended
  await privateEvent(user)
  await expect.poll(() => topics(other)).toEqual(['balance', 'round'])
  expect(topics(user.stream)).toEqual([])
  await other.stop()
})

test('a stream ends when another session signs out everywhere', async () => {
  const user = await aListener()
  const stranger = await listen({})
  await api.call(users.logoutEverywhere, {}, user.otherToken)
  await user.stream.ended
  await privateEvent(user)
  await expect.poll(() => topics(stranger)).toEqual(['round'])
  expect(topics(user.stream)).toEqual([])
  await stranger.stop()
})

test('a session that ended while the database connection was down loses its stream when it is back', async () => {
  const user = await aListener()
  // A new stream checks its session once. Look-ups are answered in order, so that check is done after this call.
  await api.call(users.me, {}, user.token)
  await sql`update sessions set ended_at = now() where user_number = ${user.number}`.execute(api.context.db)
  await publish(api.context.db, { topic: 'resync' })
  await user.stream.ended
  expect(topics(user.stream)).toEqual(['resync'])
})

test('one address may open only so many streams, but signed-in users still get theirs', async () => {
  const limited = await createTestApi({ settings: { RATE_LIMITS: 'on' } })
  await limited.http.listen({ port: 0 })
  const url = `http://127.0.0.1:${(limited.http.server.address() as AddressInfo).port}/api/events/`
  const visitors = await Promise.all(Array.from({ length: 60 }, () => listen({}, url)))
  const refused = visitors.filter(({ reply }) => reply.status === 429)
  expect(refused).toHaveLength(10)
  expect(refused[0]?.reply.headers.get('retry-after')).toBe('5')
  const user = await listen({ Token: (await aUser(limited)).token }, url)
  expect(user.reply.status).toBe(200)
  await Promise.all([user, ...visitors].map(({ stop }) => stop()))
  const statusNow = async () => {
    const { reply, stop } = await listen({}, url)
    await stop()
    return reply.status
  }
  await expect.poll(statusNow).toBe(200)
  await limited.close()
})

test('slots are limited by caller and in total, and freed once', () => {
  const slots = createSlots({ perCaller: 2, total: 3 })
  const [first] = [slots.take('a'), slots.take('a')]
  expect(slots.take('a')).toBeUndefined()
  expect(slots.take('b')).toBeDefined()
  expect(slots.take('b')).toBeUndefined()
  first?.()
  expect(slots.take('c')).toBeDefined()
  expect(slots.take('a')).toBeUndefined()
})
