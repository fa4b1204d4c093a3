import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { statusByCode } from '../src/protocol/errors.ts'
import type { Route, Routes } from '../src/protocol/route.ts'
import { routes } from '../src/protocol/routes.ts'
import { users } from '../src/protocol/users.ts'
import { aUser, createTestApi, type TestApi } from '../src/server/testing/api.ts'
import { digestTables } from '../src/server/testing/digest.ts'

/** Generates bad input for every route: never a 500, never a changed row, always the same error shape. */
const CASES_PER_ROUTE = Number(process.env['BAD_INPUT_CASES'] ?? 150)
const SEED = Number(process.env['SEED'] ?? 20_260_101)

let api: TestApi
let token: string

beforeAll(async () => {
  api = await createTestApi()
  token = (await aUser(api)).token
})
// Bad input must not end the session either. Otherwise later calls would be refused only for that.
afterEach(async () => {
  expect((await api.call(users.me, {}, token)).status).toBe('success')
})
afterAll(() => api.close())

const table: [string, Route][] = Object.entries<Routes>(routes).flatMap(([feature, calls]) =>
  Object.entries(calls).map(([name, route]): [string, Route] => [`${feature}.${name}`, route]),
)

const nastyAmounts = [
  ...['', ' ', '0', '-1', '+1', '1e3', '1E3', '0x10', 'NaN', 'Infinity', '1,5', '1.', '.5', '01', '1.0000001', '1 '],
  ...['1000000000000', '9'.repeat(40), '１', '1\u0000', 'null', '1_000', '½', '1.5.5', '--1', "1' or '1'='1"],
  ...[-1, 0, 1e21, 1.0000001, Number.MAX_VALUE, true, null, [], {}, ['1'], { amount: '1' }],
]
const nastyTexts = [
  '',
  ' ',
  '\u0000',
  '𝒳'.repeat(50),
  '../../etc/passwd',
  "'; drop table users; --",
  '2026-13-45',
  '0000-01-01',
  'a'.repeat(5_000),
  7,
  null,
  [],
  {},
]

/** Real field names with bad values, and random JSON. */
function bodies(route: Route): fc.Arbitrary<unknown> {
  const shape = (route.input as { shape?: Record<string, unknown> }).shape ?? {}
  const names = [...Object.keys(shape), '__proto__x', 'constructor', 'user_id', 'amount', 'page_no']
  const value = fc.oneof(fc.constantFrom<unknown>(...nastyAmounts, ...nastyTexts), fc.jsonValue({ maxDepth: 2 }))
  return fc.oneof(
    { weight: 4, arbitrary: fc.dictionary(fc.constantFrom(...names), value, { minKeys: 1, maxKeys: 6 }) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  )
}

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

test.each(table)('%s refuses bad bodies with the standard error shape and changes nothing', async (_, route) => {
  const before = await digest()
  await fc.assert(
    fc.asyncProperty(bodies(route), async (body) => {
      const text = JSON.stringify(body)
      const sent = JSON.parse(text) as object
      // Skip generated input that happens to be valid. GET reads the query, not a body.
      if (route.method === 'GET' || (sent && route.input.safeParse(sent).success)) return
      const reply = await api.send('POST', pathOf(route), text, { token })
      expectOneShape(reply, sent)
    }),
    { numRuns: CASES_PER_ROUTE, seed: SEED },
  )
  expect(await digest()).toBe(before)
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
