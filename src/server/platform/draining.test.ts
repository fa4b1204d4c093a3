import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createTestApi } from '../testing/api.ts'
import { createHttp } from './http.ts'
import { createLog } from './log.ts'

const portOf = ({ server }: { server: { address(): unknown } }) => (server.address() as AddressInfo).port
const GET = (path: string) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`

/** A connection that sends this text and stays open. */
async function open(port: number, sent: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  await once(socket, 'connect')
  socket.write(sent)
  return socket
}

test('while it drains, a process is not ready but answers, and asks every caller to connect again', async () => {
  const api = await createTestApi()
  expect((await api.http.inject('/readyz')).statusCode).toBe(200)
  const before = await api.http.inject('/api/chain/')
  expect([before.statusCode, before.headers.connection]).toEqual([200, 'keep-alive'])
  api.http.draining.isOn = true
  expect((await api.http.inject('/readyz')).statusCode).toBe(503)
  const during = await api.http.inject('/api/chain/')
  expect([during.statusCode, during.headers.connection]).toEqual([200, 'close'])
  await api.close()
})

test('a stop waits for running requests, and for no other connection', async () => {
  const http = await createHttp(createLog('silent', 'test'), { secure: false })
  const [arrived, mayAnswer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  http.get('/slow', async () => {
    arrived.resolve()
    await mayAnswer.promise
    return { done: true }
  })
  http.get('/fast', async () => ({ done: true }))
  await http.listen({ port: 0 })
  const silent = await open(portOf(http), '')
  const answered = await open(portOf(http), GET('/fast'))
  await once(answered, 'data')
  const slow = await open(portOf(http), GET('/slow'))
  await arrived.promise
  const closed = http.close()
  // Both are closed although their callers would have kept them open, and before the slow reply.
  expect(await Promise.all([text(silent), text(answered)])).toEqual(['', ''])
  mayAnswer.resolve()
  const reply = await text(slow)
  expect(reply).toContain('HTTP/1.1 200')
  expect(reply).toContain('connection: close')
  expect(reply).toContain('{"done":true}')
  await closed
  for (const socket of [silent, answered, slow]) socket.destroy()
})

test('event streams end with the time after which to connect again', async () => {
  const api = await createTestApi()
  await api.http.listen({ port: 0 })
  const stream = await open(portOf(api.http), GET('/api/events/'))
  await once(stream, 'data')
  const [rest] = await Promise.all([text(stream), api.close()])
  expect(rest).toMatch(/: the server restarts\nretry: \d{3,4}\n\n/)
  stream.destroy()
})
