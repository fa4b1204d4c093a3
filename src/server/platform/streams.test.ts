import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { sql } from 'kysely'
import { register } from 'prom-client'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { aUser, createTestApi, type TestApi } from '../testing/api.ts'
import { createOwnerPool } from '../testing/database.ts'
import { isListening } from '../testing/events.ts'
import { openPage, openSocket } from '../testing/pages.ts'
import { publish } from './events.ts'
import { streamLimits } from './sse.ts'

let api: TestApi
let url: string
/** The server's side of each connection. */
const connections: Socket[] = []
beforeAll(async () => {
  api = await createTestApi()
  api.http.server.on('connection', (socket: Socket) => connections.push(socket))
  await api.http.listen({ port: 0 })
  url = `http://127.0.0.1:${(api.http.server.address() as AddressInfo).port}/api/events/`
  await vi.waitFor(async () => expect(await isListening(api.context.db)).toBe(true), 20_000)
})
afterAll(() => api.close())

const page = async (headers: Record<string, string> = {}, query = '') => {
  const opened = await openPage(url + query, headers)
  onTestFinished(opened.stop)
  return opened
}
const GET = (version: string, more = '') => `GET /api/events/ HTTP/${version}\r\nhost: localhost\r\n${more}\r\n`
const LAST = { topic: 'last' }
const hasHeardLast = ({ heard }: { heard: unknown[] }) =>
  expect.poll(() => heard.at(-1)).toEqual({ event: 'last', data: '{}', id: undefined })

test('an event reaches only the streams that want it', async () => {
  const [anna, ben] = [await aUser(api), await aUser(api)]
  const streams = {
    anna: await page({ token: anna.token }),
    annaElsewhere: await page({ token: anna.token }, '?topics='),
    ben: await page({ token: ben.token }, '?topics=round,terms'),
    visitor: await page({}, '?topics=halt,halt'),
    everything: await page(),
  }
  await publish(
    api.context.db,
    { topic: 'balance', user: anna.number },
    { topic: 'round', data: { number: 1 } },
    { topic: 'halt' },
    { topic: 'deposit', user: ben.number, data: { state: 'seen' } },
    { topic: 'balance', user: 999_999 },
    { topic: 'resync', user: ben.number },
    LAST,
  )
  await hasHeardLast(streams.anna)
  await hasHeardLast(streams.everything)
  await expect.poll(streams.ben.topics).toEqual(['round', 'deposit', 'resync'])
  await expect.poll(streams.visitor.topics).toEqual(['halt'])
  await expect.poll(streams.annaElsewhere.topics).toEqual(['balance'])
  expect(streams.anna.topics()).toEqual(['balance', 'round', 'halt', 'last'])
  expect(streams.everything.topics()).toEqual(['round', 'halt', 'last'])
})

test.each(['round,', 'balance', 'round, terms', ',', 'round&topics=halt', 'round&other=1'])(
  'topics=%s is refused',
  async (topics) => {
    const { reply } = await page({}, `?topics=${topics}`)
    expect(reply.status).toBe(400)
  },
)

test('a stalled reader is dropped at 256 kB, delays no other reader, and resyncs when it returns', async () => {
  const reader = await page()
  const before = connections.length
  const stalled = openSocket(url, GET('1.1'))
  await expect.poll(() => connections.length).toBe(before + 1)
  const held = connections[before] as Socket
  const dropped = once(held, 'close')
  let isDropped = false
  dropped.then(() => {
    isDropped = true
  })
  const data = 'x'.repeat(7_000)
  let heldMax = 0
  for (let flood = 1; !isDropped; flood++) {
    await publish(api.context.db, ...Array.from({ length: 60 }, () => ({ topic: 'news', data })), LAST)
    await expect.poll(() => reader.topics().filter((topic) => topic === 'last').length).toBe(flood)
    heldMax = Math.max(heldMax, held.writableLength)
  }
  expect(heldMax).toBeGreaterThan(0)
  expect(heldMax).toBeLessThanOrEqual(256 * 1024)
  stalled.socket.destroy()
  const back = await page({ 'last-event-id': '1' })
  await expect.poll(back.topics).toEqual(['resync'])
})

test('a stream over HTTP/1.0 has no chunks', async () => {
  const old = openSocket(url, GET('1.0'))
  old.read()
  await expect.poll(old.text).toContain('retry: 2000')
  await publish(api.context.db, LAST)
  await expect.poll(old.text).toContain('event: last')
  expect(old.text().split('\r\n\r\n')[1]).toBe('id: 1\nretry: 2000\n\nevent: last\ndata: {}\n\n')
  old.socket.destroy()
})

test('an event does not get into another reply on the same connection', async () => {
  const owner = createOwnerPool(api.database.ownerUrl)
  const lock = await owner.connect()
  await lock.query('begin; lock table colour_chains in access exclusive mode')
  const witness = await page()
  // The stream is opened at once, but its reply has to wait for the first one.
  const both = openSocket(url, `GET /api/colour/fairness/ HTTP/1.1\r\nhost: localhost\r\n\r\n${GET('1.1')}`)
  both.read()
  await expect.poll(() => openStreams('visitor')).toBe(2)
  await publish(api.context.db, LAST)
  await hasHeardLast(witness)
  await lock.query('commit')
  lock.release()
  await owner.end()
  await expect.poll(both.text).toContain('event: last')
  const [, first = '', second = ''] = both.text().split('HTTP/1.1 ')
  expect(JSON.parse(first.slice(first.indexOf('{')))).toMatchObject({ status: expect.any(String) })
  expect(second.slice(second.indexOf('\r\n\r\n'))).toMatch(/id: 1\nretry: 2000\n\n\r\n.*event: last\ndata: \{\}\n\n/s)
  both.socket.destroy()
})

async function openStreams(caller: string): Promise<number> {
  const metric = await register.getSingleMetric('wellplay_event_streams')?.get()
  return metric?.values.find(({ labels }) => labels['caller'] === caller)?.value ?? 0
}

test('a page that disconnects while its session is looked up leaves no stream behind', async () => {
  const user = await aUser(api)
  const before = connections.length
  const owner = createOwnerPool(api.database.ownerUrl)
  const lock = await owner.connect()
  await lock.query('begin; lock table sessions in access exclusive mode')
  const gone = openSocket(url, GET('1.1', `token: ${user.token}\r\n`))
  const waiting = sql`select from pg_locks where relation = 'sessions'::regclass and not granted`
  await expect.poll(async () => (await waiting.execute(api.context.db)).rows.length).toBeGreaterThan(0)
  gone.socket.destroy()
  await once(connections[before] as Socket, 'close')
  await lock.query('commit')
  lock.release()
  await owner.end()
  // A later stream of the same user is opened after the look-up of the first one has ended.
  const next = await page({ token: user.token })
  await publish(api.context.db, LAST)
  await hasHeardLast(next)
  await expect.poll(() => openStreams('user')).toBe(1)
})

test('streams never use up the open files that calls need', () => {
  expect(streamLimits(1_000)).toMatchObject({ visitors: { total: 300 }, users: { total: 600 } })
  expect(streamLimits(Number.POSITIVE_INFINITY)).toMatchObject({
    visitors: { total: 10_000 },
    users: { total: 20_000 },
  })
})
