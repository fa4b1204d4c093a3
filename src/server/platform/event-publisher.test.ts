import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { balance } from '../../protocol/balance.ts'
import { parseUsdt } from '../../protocol/money.ts'
import { createContext } from '../context.ts'
import { aUser, createTestApi, type TestApi, testConfig, testSettings } from '../testing/api.ts'
import { createOwnerPool } from '../testing/database.ts'
import { openPage } from '../testing/pages.ts'
import { systemClock } from './clock.ts'
import { environmentWith } from './config.ts'
import { transaction } from './db.ts'
import { createPublisher } from './event-publisher.ts'
import { type Event, publish } from './events.ts'

const KILLED = fileURLToPath(new URL('../testing/killed-publisher.ts', import.meta.url))

let api: TestApi
beforeAll(async () => {
  api = await createTestApi()
  await api.http.listen({ port: 0 })
})
afterAll(() => api.close())

/** Another process of the same product: only the database connects it with the API. */
async function aProcess(parameters = '') {
  const config = testConfig(`${api.database.appUrl}${parameters}`)
  const { context, close } = createContext(config, 'test', systemClock, { publishes: true })
  const heard: Event[] = []
  context.events.subscribe((event) => heard.push(event))
  const isOpen = () => expect(context.events.publisher?.isOpen()).toBe(true)
  await vi.waitFor(isOpen, 20_000)
  return { ...context, heard, close }
}

async function twoProcesses(parameters?: string) {
  const [sender, receiver] = [await aProcess(parameters), await aProcess()]
  onTestFinished(async () => {
    await sender.close()
    await receiver.close()
  })
  receiver.heard.length = 0
  return { sender, receiver }
}

const USER = 1
const LAST = { topic: 'last', user: USER }
type Process = Awaited<ReturnType<typeof aProcess>>
const hasHeard = ({ heard }: Process, event: Event) => expect.poll(() => heard).toContainEqual(event)

test('events follow the commits of one process in their order, and those of a rolled back transaction are not sent', async () => {
  const { sender, receiver } = await twoProcesses()
  const events = Array.from({ length: 60 }, (_, at) => ({ topic: 'withdrawal', user: USER, data: { at } }))
  for (const event of events) {
    await transaction(sender.db, (tx) => publish(tx, event))
    const refused = transaction(sender.db, async (tx) => {
      await publish(tx, { topic: 'refused', user: USER })
      throw new Error('refused')
    })
    await expect(refused).rejects.toThrow('refused')
  }
  await publish(sender.db, LAST)
  await hasHeard(receiver, LAST)
  expect(receiver.heard).toEqual([...events, LAST])
})

test('no process hears an event before its transaction is committed', async () => {
  const { sender, receiver } = await twoProcesses()
  await transaction(sender.db, async (tx) => {
    await publish(tx, { topic: 'balance', user: USER }, { topic: 'halt' })
    await publish(sender.db, LAST)
    await hasHeard(receiver, LAST)
    expect(receiver.heard).toEqual([LAST])
  })
  await hasHeard(receiver, { topic: 'balance', user: USER })
  await hasHeard(receiver, { topic: 'halt' })
})

test('equal events are sent once, and more of them than one NOTIFY holds all arrive', async () => {
  const { sender, receiver } = await twoProcesses()
  const users = Array.from({ length: 2_000 }, (_, at) => ({ topic: 'balance', user: at + 2 }))
  await publish(sender.db, ...users, ...users, ...users, LAST)
  await hasHeard(receiver, LAST)
  expect(receiver.heard).toEqual([...users, LAST])
})

test('an event that does not fit into a NOTIFY fails its transaction', async () => {
  const { sender } = await twoProcesses()
  const long = { topic: 'withdrawal', user: USER, data: 'ü'.repeat(4_000) }
  await expect(transaction(sender.db, (tx) => publish(tx, long))).rejects.toThrow('too long')
})

test('after a commit with an unknown outcome, the pages of its users read everything again', async () => {
  const { sender, receiver } = await twoProcesses()
  const owner = createOwnerPool(api.database.ownerUrl)
  const cut = transaction(sender.db, async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await publish(tx, { topic: 'withdrawal', user: USER, data: { state: 'requested' } })
    await owner.query('select pg_terminate_backend($1, 10000)', [rows[0]?.pid])
  })
  await expect(cut).rejects.toThrow()
  await owner.end()
  await hasHeard(receiver, { topic: 'resync', user: USER })
  expect(receiver.heard.map(({ topic }) => topic)).not.toContain('withdrawal')
})

test('an event is not lost silently when the connection is lost before it is sent', async () => {
  const { sender, receiver } = await twoProcesses('?application_name=cut-publisher')
  const owner = createOwnerPool(api.database.ownerUrl)
  const isEvents = `application_name = 'cut-publisher' and query like '%wellplay_events%'`
  await owner.query(`select pg_terminate_backend(pid, 10000) from pg_stat_activity where ${isEvents}`)
  await owner.end()
  await publish(sender.db, { topic: 'balance', user: USER })
  // If the process has noticed the loss by now, the event was sent by another connection.
  const topics = () => receiver.heard.map(({ topic }) => topic)
  await expect.poll(topics, { timeout: 20_000 }).toContainEqual(expect.stringMatching(/^(resync|balance)$/))
})

test('a process that stops sends its last events first, and leaves no row behind', async () => {
  const [sender, receiver] = [await aProcess(), await aProcess()]
  const rows = () => api.context.db.selectFrom('event_publishers').select('id').execute()
  const before = await rows()
  await publish(sender.db, LAST)
  await sender.close()
  await hasHeard(receiver, LAST)
  expect(await rows()).toHaveLength(before.length - 1)
  await receiver.close()
})

test('a process killed between its commit and the event: pages read everything again, and see the money', async () => {
  const user = await aUser(api)
  const { port } = api.http.server.address() as AddressInfo
  const page = await openPage(`http://127.0.0.1:${port}/api/events/`, { token: user.token })
  onTestFinished(page.stop)
  const rows = () => api.context.db.selectFrom('event_publishers').select('id').execute()
  const alive = (await rows()).map(({ id }) => id)
  const env = environmentWith(testSettings(api.database.appUrl))
  const [, signal] = await once(
    spawn(process.execPath, [KILLED, String(user.number)], { env, stdio: 'inherit' }),
    'exit',
  )
  expect(signal).toBe('SIGKILL')
  const [killed, ...others] = (await rows()).filter(({ id }) => !alive.includes(id))
  expect(others).toEqual([])
  // Instead of waiting for 20 seconds.
  await api.context.db
    .updateTable('event_publishers')
    .set({ seen_at: new Date(0) })
    .where('id', '=', killed?.id ?? '')
    .execute()
  await expect.poll(page.topics, { timeout: 30_000 }).toContain('resync')
  expect(page.topics()).not.toContain('balance')
  expect((await api.call(balance.details, {}, user.token)).data.wallet).toBe(parseUsdt('5'))
  expect(await rows()).not.toContainEqual(killed)
})

test('a publisher that cannot send in time drops what waits and asks for a resync', async () => {
  const sent: string[] = []
  const publisher = createPublisher(async (payloads) => sent.push(...payloads))
  publisher.add(Array.from({ length: 20_001 }, (_, user) => ({ topic: 'balance', user })))
  publisher.add([LAST])
  publisher.open()
  await publisher.flush()
  expect(sent).toEqual([JSON.stringify([{ topic: 'resync' }, LAST])])
})
