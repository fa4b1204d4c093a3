import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freePort } from '../src/server/embedded/postgres.ts'
import { testSettings } from '../src/server/testing/api.ts'
import { createTestDatabase, type TestDatabase } from '../src/server/testing/database.ts'
import { type Spawned, spawnProcess } from '../src/server/testing/processes.ts'

/** A real API process that sends its traces to a collector in this test. */
type Attribute = { key: string; value: { stringValue?: string; intValue?: number } }
type Span = { name: string; traceId: string; spanId: string; parentSpanId?: string; attributes: Attribute[] }
type Body = {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: Span[] }[] }[]
}

const bodies: Body[] = []
const started: Spawned[] = []
let collector: Server
let silent: Server
let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  collector = createServer(async (request, reply) => {
    const sent = await text(request)
    if (request.url === '/v1/traces') bodies.push(JSON.parse(sent))
    reply.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  silent = createServer(() => {}).listen(0, '127.0.0.1')
})
afterAll(async () => {
  for (const { child } of started) child.kill('SIGKILL')
  for (const server of [collector, silent]) {
    server.closeAllConnections()
    server.close()
  }
  await database.drop()
})

async function startApi(server: Server): Promise<{ running: Spawned; url: string }> {
  const port = String(await freePort())
  const running = spawnProcess('api', {
    ...testSettings(database.urls.api),
    PORT: port,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  })
  started.push(running)
  const url = `http://127.0.0.1:${port}`
  await vi.waitFor(async () => expect(await fetch(`${url}/readyz`), running.output()).toMatchObject({ ok: true }), {
    timeout: 60_000,
    interval: 200,
  })
  return { running, url }
}

const attributeOf = ({ attributes }: { attributes: Attribute[] }, name: string) => {
  const { stringValue, intValue } = attributes.find(({ key }) => key === name)?.value ?? {}
  return stringValue ?? intValue
}

test('a request is one trace, with its route, its status, its id and its queries', async () => {
  const { running, url } = await startApi(collector)
  const reply = await fetch(`${url}/api/plans/`)
  expect(reply.status).toBe(200)
  await running.stop()
  const [resource] = bodies.flatMap(({ resourceSpans }) => resourceSpans.map((each) => each.resource))
  expect(resource && attributeOf(resource, 'service.name')).toBe('wellplay-api')
  const spans = bodies.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  )
  const request = spans.find((span) => attributeOf(span, 'wellplay.request_id') === reply.headers.get('x-request-id'))
  if (!request) throw new Error('no span of the request')
  expect([request.name, attributeOf(request, 'http.response.status_code')]).toEqual(['GET /api/plans/', 200])
  const queries = spans.filter(
    ({ parentSpanId, traceId }) => parentSpanId === request.spanId && traceId === request.traceId,
  )
  expect(queries.map((span) => attributeOf(span, 'db.query.text'))).toContainEqual(expect.stringContaining('plan_lots'))
})

test('a collector that does not answer delays neither a call nor the end of the process', async () => {
  const { running, url } = await startApi(silent)
  expect((await fetch(`${url}/api/plans/`)).status).toBe(200)
  // A stop that waits for the collector reaches its limit and ends with another code.
  expect(await running.stop()).toBe(0)
})
