import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Route, Routes } from '../../src/protocol/route.ts'
import { routes } from '../../src/protocol/routes.ts'
import { aUser } from '../../src/server/testing/api.ts'
import { startPaymentChain } from '../../src/server/testing/chain.ts'
import { createTestTable } from '../../src/server/testing/colour.ts'
import { signedDeletion } from '../../src/server/testing/deletion.ts'
import { digestTables } from '../../src/server/testing/digest.ts'
import { giveWallet, purchaseBody } from '../../src/server/testing/plans.ts'
import { type Example, examples, newKey, type Scene } from './examples.ts'
import { channels } from './news-examples.ts'

/** Calls every route that changes something with its key repeated, reused and missing (R2). */
let scene: Scene

beforeAll(async () => {
  const node = await startPaymentChain()
  const api = await createTestTable({ settings: { ...node.settings, ...channels }, house: '100000' })
  await api.open(3_600)
  scene = { api, node }
})
afterAll(async () => {
  await scene.api.close()
  await scene.node.stop()
})

/** These routes end the session, so a repeat is refused as signed out. */
const ENDS_SESSION = ['users.logout', 'users.logoutEverywhere', 'deletion.remove']

const changing: [string, Route][] = Object.entries<Routes>(routes).flatMap(([feature, table]) =>
  Object.entries(table)
    .filter(([, { changes }]) => changes)
    .map(([name, route]): [string, Route] => [`${feature}.${name}`, route]),
)
const repeatable = changing.filter(([name]) => !ENDS_SESSION.includes(name))

const digest = () => digestTables(scene.api.context.db, ['session_proofs', 'sign_in_nonces'])

function send({ path }: Route, example: Pick<Example, 'id' | 'body'> & { token: string }, key: string | undefined) {
  const headers = { token: example.token, ...(key && { 'idempotency-key': key }) }
  return scene.api.send('POST', path.replace('{id}', example.id ?? ''), example.body, headers)
}

async function exampleOf(name: string): Promise<Example> {
  const example = examples[name]
  if (!example) throw new Error(`${name} has no example`)
  return example(scene)
}

test('every route that changes something is tested here', () => {
  expect([...Object.keys(examples), ...ENDS_SESSION].sort()).toEqual(changing.map(([name]) => name).sort())
})

test.each(repeatable)('%s: the same key and body twice have one effect and one reply', async (name, route) => {
  const example = await exampleOf(name)
  const key = newKey()
  const before = await digest()
  const first = await send(route, example, key)
  expect(first, JSON.stringify(first.body)).toMatchObject({ status: 200 })
  const after = await digest()
  expect(after).not.toBe(before)
  expect(await send(route, example, key)).toEqual(first)
  expect(await digest()).toBe(after)
})

test.each(repeatable)('%s: the same key with another body is refused and changes nothing', async (name, route) => {
  const example = await exampleOf(name)
  const key = newKey()
  expect((await send(route, example, key)).status).toBe(200)
  if (!example.other) return
  const after = await digest()
  const reply = await send(route, { token: example.token, ...example.other }, key)
  expect(reply).toMatchObject({ status: 409, body: { code: 'idempotency_mismatch' } })
  expect(await digest()).toBe(after)
})

test.each(repeatable)(
  '%s: without a key a repeat is ignored, counted again or refused, as specified',
  async (name, route) => {
    const example = await exampleOf(name)
    if (name === 'transfers.send') {
      const reply = await send(route, example, undefined)
      expect(reply).toMatchObject({ status: 400, body: { code: 'idempotency_key_required' } })
      return
    }
    expect((await send(route, example, undefined)).status).toBe(200)
    const after = await digest()
    const again = await send(route, example, undefined)
    if (example.withoutKey === 'refused') expect(again.status).toBeGreaterThanOrEqual(400)
    else expect(again.status).toBe(200)
    if (example.withoutKey === 'new') expect(await digest()).not.toBe(after)
    else expect(await digest()).toBe(after)
  },
)

test.each(ENDS_SESSION)('%s: a repeat is refused, because the session has ended', async (name) => {
  const user = await aUser(scene.api)
  const route = changing.find(([changes]) => changes === name)?.[1] as Route
  const key = newKey()
  const call = { token: user.token, body: name === 'deletion.remove' ? await signedDeletion(user) : {} }
  expect((await send(route, call, key)).status).toBe(200)
  const after = await digest()
  expect((await send(route, call, key)).status).toBe(401)
  expect(await digest()).toBe(after)
})

test('fifty identical requests at once have one effect, and all get the same reply', async () => {
  const { api } = scene
  const user = await aUser(api)
  await giveWallet(api, user.number, '5000')
  const body = purchaseBody(api, user, '100', 2)
  const key = newKey()
  const ask = () => api.send('POST', '/gamebuyplan/', body, { token: user.token, 'idempotency-key': key })
  const replies = await Promise.all(Array.from({ length: 50 }, ask))
  expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1)
  const { rows } = await sql<{ lots: bigint }>`
    select count(*) as lots from plan_lots where user_number = ${user.number}`.execute(api.context.db)
  expect(rows[0]?.lots).toBe(1n)
})

test('the same key on two routes or from two users is two separate requests', async () => {
  const { api } = scene
  const [anna, ben] = [await aUser(api), await aUser(api)]
  const headers = (token: string) => ({ token, 'idempotency-key': 'same' })
  for (const { token } of [anna, ben])
    for (const [path, body] of [
      ['/referral_privacy/', { hide: true }],
      ['/quiz/visibility/', { hide: true }],
    ] as const)
      expect((await api.send('POST', path, body, headers(token))).status).toBe(200)
})

test('the key of a refused request can be used again', async () => {
  const { api } = scene
  const user = await aUser(api)
  const body = purchaseBody(api, user, '100', 2)
  const ask = () => api.send('POST', '/gamebuyplan/', body, { token: user.token, 'idempotency-key': 'later' })
  expect(await ask()).toMatchObject({ status: 400, body: { code: 'insufficient_balance' } })
  await giveWallet(api, user.number, '100')
  expect((await ask()).status).toBe(200)
})

test('a key that is not 1 to 128 visible characters is refused', async () => {
  const { token } = await aUser(scene.api)
  for (const key of ['a'.repeat(129), 'two words', 'ü'])
    expect(
      await scene.api.send('POST', '/quiz/visibility/', { hide: true }, { token, 'idempotency-key': key }),
    ).toMatchObject({ status: 400, body: { field: 'Idempotency-Key' } })
})
