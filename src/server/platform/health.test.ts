import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createTestApi } from '../testing/api.ts'
import { mountHealth, startMonitoring } from './health.ts'
import { createHttp } from './http.ts'
import { createLog } from './log.ts'

const log = createLog('silent', 'test')
const failing = { name: 'database', check: () => Promise.reject(new Error('no route to db-7.internal')) }

test('the public port has no metrics, and says only whether it is ready', async () => {
  const api = await createTestApi()
  expect((await api.http.inject('/metrics')).body).not.toContain('process_cpu_seconds_total')
  expect((await api.http.inject('/readyz')).json()).toEqual({ status: 'ready' })
  await api.close()
})

test('only the port for operators says why a process is not ready', async () => {
  const http = await createHttp(log, { secure: false })
  mountHealth(http, [failing])
  const publicly = await http.inject('/readyz')
  expect([publicly.statusCode, publicly.body]).toEqual([503, '{"status":"not ready"}'])
  await http.close()

  const monitoring = await startMonitoring(log, { address: { port: 0, host: '127.0.0.1' }, checks: [failing] })
  if (!monitoring) throw new Error('no port')
  const { address, port } = monitoring.server.address() as AddressInfo
  expect(address).toBe('127.0.0.1')
  const told = await fetch(`http://127.0.0.1:${port}/readyz`)
  expect(await told.json()).toEqual({
    status: 'not ready',
    checks: [{ name: 'database', ok: false, reason: 'no route to db-7.internal' }],
  })
  expect(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).toContain('process_cpu_seconds_total')
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
  await monitoring.close()
})
