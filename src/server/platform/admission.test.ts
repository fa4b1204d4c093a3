import { connect } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createAdmission, mountAdmission } from './admission.ts'
import { createHttp, type Http } from './http.ts'
import { createLog } from './log.ts'
import { metricsText } from './metrics.ts'

const [MONEY, READ] = [false, true]
const [ALWAYS, AT_FIRST] = [128, 256]

/** The rule with a clock of its own. */
function aProcess() {
  let nowMs = 0
  const admission = createAdmission(() => nowMs)
  const running: object[] = []
  const begin = (isRead = MONEY) => {
    const call = admission.begin(isRead)
    if (call) running.push(call)
    return call !== undefined
  }
  const end = () => admission.end(running.shift() as never)
  const fill = (isRead = MONEY) => {
    while (begin(isRead));
    return admission.size()
  }
  /** Ends `perSecond` calls per second for so long, while up to `inFlight` are running, and then all that are left. */
  function work(ms: number, perSecond: number, inFlight: number): void {
    for (let ended = 0; ended < (ms * perSecond) / 1000; ended++) {
      while (admission.size() < inFlight && begin());
      nowMs += 1000 / perSecond
      end()
    }
    while (admission.size() > 0) end()
  }
  return { admission, begin, end, fill, work }
}

test.each([
  [4_000, 1_000],
  [1_000, 250],
  [100, ALWAYS],
])('with %i calls per second, %i calls may be in flight, and half as many when a read arrives', (rate, most) => {
  const { work, fill, begin, end } = aProcess()
  work(5_000, rate, 10_000)
  expect(fill(READ)).toBeCloseTo(most / 2, -1)
  expect(begin(READ)).toBe(false)
  expect(fill()).toBeCloseTo(most, -1)
  expect(begin()).toBe(false)
  end()
  expect([begin(READ), begin()]).toEqual([false, true])
})

test('a process that was idle, or has few callers, knows no rate and does not become stricter', () => {
  expect(aProcess().fill()).toBe(AT_FIRST)
  const { work, fill } = aProcess()
  work(5_000, 10, 3)
  expect(fill()).toBe(AT_FIRST)
})

test('the bound follows the rate down and up again', () => {
  const { work, fill, end, admission } = aProcess()
  const most = () => {
    const found = fill()
    while (admission.size() > 0) end()
    return found
  }
  work(5_000, 4_000, 10_000)
  const before = most()
  work(5_000, 400, 10_000)
  expect(most()).toBeLessThan(before / 4)
  work(5_000, 4_000, 10_000)
  expect(most()).toBeGreaterThan(before * 0.9)
})

const closing: (() => void)[] = []
let http: Http
let finish: () => void
/** A server whose calls run until `finish`. */
beforeEach(async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  finish = resolve
  http = await createHttp(createLog('silent', 'test'), { secure: false })
  const stopCounting = mountAdmission(http)
  http.addHook('onRequest', async (request) => {
    if (request.headers['x-visitor']) stopCounting(request)
  })
  const answer = async () => {
    await promise
    return { status: 'done' }
  }
  http.post('/money', { config: { isRead: false } }, answer)
  http.get('/read', { config: { isRead: true } }, answer)
  http.get('/healthz', { config: { isUnbounded: true } }, async () => ({ status: 'ok' }))
})
afterEach(async () => {
  finish()
  for (const close of closing.splice(0)) close()
  await http.close()
})

const figure = async (name: string) =>
  Number(new RegExp(`^wellplay_batch_queue_${name}\\{queue="calls"\\} (.*)$`, 'm').exec(await metricsText())?.[1])
const send = (url: string, headers: Record<string, string> = {}) =>
  http.inject({ method: url === '/money' ? 'POST' : 'GET', url, headers, ...(url === '/money' && { payload: {} }) })

test('calls beyond the bound get 503 at once, reads first; health checks and running calls are answered', async () => {
  const refusedBefore = await figure('refused_total')
  const running = Array.from({ length: AT_FIRST / 2 }, () => send('/money'))
  await expect.poll(() => figure('items')).toBe(AT_FIRST / 2)
  const read = await send('/read')
  expect([read.statusCode, read.headers['retry-after'], read.json().code]).toEqual([503, '1', 'unavailable'])
  expect(read.headers['content-security-policy']).toContain("default-src 'self'")
  running.push(...Array.from({ length: AT_FIRST / 2 }, () => send('/money')))
  await expect.poll(() => figure('items')).toBe(AT_FIRST)
  expect((await http.inject({ method: 'POST', url: '/money', payload: 'not JSON' })).statusCode).toBe(503)
  expect((await send('/healthz')).statusCode).toBe(200)
  expect(await figure('refused_total')).toBe(refusedBefore + 2)
  finish()
  for (const reply of await Promise.all(running)) expect(reply.statusCode).toBe(200)
  expect(await figure('items')).toBe(0)
  expect((await send('/read')).statusCode).toBe(200)
})

test('visitors who wait elsewhere, callers who send no body and callers who are gone do not use up the bound', async () => {
  const visitors = Array.from({ length: 2 * AT_FIRST }, () => send('/money', { 'x-visitor': 'yes' }))
  await http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = http.server.address() as { port: number }
  const open = async (text: string) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    closing.push(() => socket.destroy())
    await new Promise((resolve) => socket.write(text, resolve))
    return socket
  }
  const head = (length: number) =>
    `POST /money HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`
  const silent = await Promise.all(Array.from({ length: AT_FIRST }, () => open(head(2))))
  const gone = await Promise.all(Array.from({ length: AT_FIRST / 2 }, () => open(`${head(2)}{}`)))
  await expect.poll(() => figure('items')).toBe(AT_FIRST / 2)
  for (const socket of gone) socket.destroy()
  await expect.poll(() => figure('items')).toBe(0)
  for (const socket of silent) socket.write('{}')
  await expect.poll(() => figure('items')).toBe(AT_FIRST)
  finish()
  await Promise.all(visitors)
  await expect.poll(() => figure('items')).toBe(0)
})
