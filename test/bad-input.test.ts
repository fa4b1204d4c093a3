import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { statusByCode } from '../src/protocol/errors.ts'
import type { Route, Routes } from '../src/protocol/route.ts'
import { routes } from '../src/protocol/routes.ts'
import { users } from '../src/protocol/users.ts'
import { aUser } from '../src/server/testing/api.ts'
import { startPaymentChain } from '../src/server/testing/chain.ts'
import { createTestTable, type TestTable } from '../src/server/testing/colour.ts'
import { digestTables } from '../src/server/testing/digest.ts'
import { randomBodies } from './bad-input/bodies.ts'
import { type Call, generateCalls, isAccepted } from './bad-input/calls.ts'
import { examples, type Scene } from './idempotency/examples.ts'

/**
 * Generates bad input for every route: never a 500, always the same error shape, and never a changed row. Input that
 * the route's schema accepts is sent, too: if the schema became too wide, the handler or the database fails.
 */
const RANDOM_BODIES = Number(process.env['BAD_INPUT_CASES'] ?? 40)
const SEED = Number(process.env['SEED'] ?? 20_260_101)
const AT_ONCE = 50

let scene: Scene
let api: TestTable
let token: string

beforeAll(async () => {
  const node = await startPaymentChain()
  api = await createTestTable({ settings: node.settings, house: '100000' })
  await api.open(3_600)
  scene = { api, node }
  token = (await aUser(api)).token
})
// Bad input must not end the session either. Otherwise later calls would be refused only for that.
afterEach(async () => {
  expect((await api.call(users.me, {}, token)).status).toBe('success')
})
afterAll(async () => {
  await api.close()
  await scene.node.stop()
})

const table: [string, Route][] = Object.entries<Routes>(routes).flatMap(([feature, calls]) =>
  Object.entries(calls).map(([name, route]): [string, Route] => [`${feature}.${name}`, route]),
)

const pathOf = (route: Route) => route.path.replace(/\{\w+\}/g, '%00nonsense')

function expectOneShape(reply: { status: number; body: Record<string, unknown> }, sent: unknown) {
  const { status, body } = reply
  const context = JSON.stringify(sent)?.slice(0, 200)
  expect(status, context).toBeGreaterThanOrEqual(400)
  expect(status, context).toBeLessThan(500)
  expect(
    Object.keys(body)
      .filter((key) => key !== 'field')
      .sort(),
  ).toEqual(['Msg', 'code', 'message', 'request_id', 'status'])
  expect(body).toMatchObject({ status: 'error', Msg: body['message'] })
  expect(statusByCode[body['code'] as keyof typeof statusByCode]).toBe(status)
  expect(String(body['Msg'])).not.toMatch(/\n\s+at |select |insert |node_modules|\.ts/i)
  expect(String(body['Msg'])).not.toMatch(/invalid input|expected|received|unrecognized|too (small|big)/i)
}

const digest = () => digestTables(api.context.db, ['sign_in_nonces', 'session_proofs'])

const random = new Map(table.map(([name, route]) => [name, randomBodies(route, { seed: SEED, count: RANDOM_BODIES })]))

type Prepared = { token: string; calls: Call[] }
const prepared = new Map<string, Promise<Prepared>>()

/** The calls to try on a route. Two tests use them, and the first changes nothing. */
function callsOf(name: string, route: Route): Promise<Prepared> {
  const calls = prepared.get(name) ?? prepareCalls(name, route)
  prepared.set(name, calls)
  return calls
}

/** If the route changes something, a new user makes the calls: one of them may sign its user out or exclude them. */
async function prepareCalls(name: string, route: Route): Promise<Prepared> {
  const example = await examples[name]?.(scene)
  const good = example && { ...(example.id && { id: example.id }), ...example.body }
  const user = example ?? (route.changes ? await aUser(api) : { token })
  return { token: user.token, calls: generateCalls(route, good, random.get(name) ?? []) }
}

test.each(table)('%s refuses bad bodies with the standard error shape and changes nothing', async (name, route) => {
  const { calls, token } = await callsOf(name, route)
  const refused = calls.filter((call) => !isAccepted(route, call))
  const before = await digest()
  for (let at = 0; at < refused.length; at += AT_ONCE)
    await Promise.all(
      refused.slice(at, at + AT_ONCE).map(async (call) => {
        expectOneShape(await api.send(route.method, call.path, call.text, { token }), call)
      }),
    )
  expect(await digest()).toBe(before)
})

test.each(table)('%s never fails on what its schema accepts', async (name, route) => {
  let { calls, token } = await callsOf(name, route)
  const accepted = calls.flatMap((call, at) => (isAccepted(route, call) ? [at] : []))
  expect(accepted, 'the good call').toContain(0)
  for (const at of accepted) {
    const call = calls[at] as Call
    const headers = { token, ...(route.changes && { 'idempotency-key': randomUUID() }) }
    const reply = await api.send(route.method, call.path, call.text, headers)
    if (reply.status !== 200) expectOneShape(reply, call)
    // The call took effect, so the next one could be refused because of it. It gets a new user and new objects.
    else if (route.changes) ({ calls, token } = await prepareCalls(name, route))
  }
})

test.each(table)('%s refuses malformed requests with the standard error shape', async (_, route) => {
  if (route.method === 'GET') {
    expectOneShape(await api.send('GET', `${pathOf(route)}?surprise=1`, undefined, { token }), 'query')
    return
  }
  const huge = JSON.stringify({ text: 'x'.repeat(20_000) })
  for (const text of ['{"a":', '[', 'null', '"text"', '12', '{"a":1}{"b":2}', '\u0000', '{"__proto__":{}}', huge])
    expectOneShape(await api.send('POST', pathOf(route), text, { token }), text)
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/xml'])
    expectOneShape(await api.send('POST', pathOf(route), '{}', { token, 'content-type': type }), type)
})

test.each(table.filter(([, route]) => route.auth === 'user'))('%s needs a session', async (_, route) => {
  for (const forged of [undefined, '', 'x', 'A'.repeat(43), `${token}x`, token.toLowerCase(), '{"token":1}']) {
    const headers = forged === undefined ? {} : { token: forged }
    const reply = await api.send(route.method, pathOf(route), route.method === 'POST' ? {} : undefined, headers)
    expect([400, 401, 404], JSON.stringify(reply.body)).toContain(reply.status)
    expectOneShape(reply, forged)
  }
})

test('an unknown path gets the standard error shape', async () => {
  expectOneShape(await api.send('POST', '/no-such-call/', {}), 'path')
  expectOneShape(await api.send('POST', '/%E0%A4%A', {}), 'bad escape')
})

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
const allowedBy = new Map<string, string[]>()
for (const [, route] of table)
  allowedBy.set(pathOf(route), [
    ...(allowedBy.get(pathOf(route)) ?? []),
    ...(route.method === 'GET' ? ['GET', 'HEAD'] : ['POST']),
  ])
// GET /game/{id}/ takes this path for a game with the id 'start', and refuses the id.
allowedBy.set('/game/start/', ['GET', 'HEAD', 'POST'])
for (const path of ['/events/', '/docs', '/docs/openapi.json']) allowedBy.set(path, ['GET', 'HEAD'])

test.each([...allowedBy])('%s with another method gets 405, and Allow lists %j', async (path, allowed) => {
  for (const method of METHODS.filter((other) => !allowed.includes(other)))
    for (const url of [`/api${path}`, `/api${path.replace(/\/$/, '')}?x=1`]) {
      const reply = await api.http.inject({ method, url })
      expect(reply.statusCode, `${method} ${url}`).toBe(405)
      expect(reply.headers['allow']).toBe([...allowed].sort().join(', '))
      if (method !== 'HEAD') expectOneShape({ status: 405, body: reply.json() }, method)
    }
})

test('a path that does not exist gets 404 with every method', async () => {
  for (const method of METHODS)
    for (const url of ['/api/no-such-call/', '/api', '/api/detail/more/', '/api/docs/nothing'])
      expect((await api.http.inject({ method, url })).statusCode, `${method} ${url}`).toBe(404)
})
