import { createServer } from 'node:net'
import { expect, inject, test } from 'vitest'
import { createDb, createPool } from './db.ts'
import { connectEvents } from './event-connection.ts'
import { publish } from './events.ts'
import { createLog } from './log.ts'

const log = createLog('silent', 'test')

test('while the database is down, the listener retries with one connection at a time', async () => {
  const attempts: number[] = []
  const { promise: fifth, resolve } = Promise.withResolvers<void>()
  const server = createServer((socket) => {
    attempts.push(performance.now())
    socket.on('error', () => {}).destroy()
    if (attempts.length === 5) resolve()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as { port: number }
  const events = connectEvents(`postgres://nobody@127.0.0.1:${port}/none`, log)
  await fifth
  await events.stop()
  server.close()
  const pausesMs = attempts.slice(1).map((at, index) => at - (attempts[index] ?? 0))
  expect(Math.min(...pausesMs)).toBeGreaterThan(500)
})

test('a lost connection is reopened, and listeners receive a resync event', async () => {
  const { ownerUrl } = inject('postgres')
  const db = createDb(createPool(ownerUrl, 2))
  const events = connectEvents(`${ownerUrl}?application_name=cut-me`, log)
  const heard: string[] = []
  events.subscribe(({ topic }) => heard.push(topic))
  const received = (topic: string) => expect.poll(() => heard, { timeout: 20_000 }).toContain(topic)
  await received('resync')
  heard.length = 0
  const pool = createPool(ownerUrl, 1)
  await pool.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cut-me'")
  await received('resync')
  await publish(db, { topic: 'news' })
  await received('news')
  await events.stop()
  await pool.end()
  await db.destroy()
})
