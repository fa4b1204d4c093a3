import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Route, Routes } from '../../src/protocol/route.ts'
import { routes } from '../../src/protocol/routes.ts'
import { createTestApi, type TestApi } from '../../src/server/testing/api.ts'
import { startPaymentChain } from '../../src/server/testing/chain.ts'
import { createTestTable } from '../../src/server/testing/colour.ts'
import { digestTables } from '../../src/server/testing/digest.ts'
import { type Replicas, startReplicas } from '../../src/server/testing/replicas.ts'
import { type Example, examples, newKey, type Scene } from './examples.ts'
import { channels } from './news-examples.ts'

/** Cuts off every change while its commit waits for a frozen standby, then repeats it (R26). */
let replicas: Replicas
let scene: Scene
let promoted: TestApi | undefined

/** Repeats keep their connections while they wait. */
const MANY_CONNECTIONS = { DATABASE_CONNECTIONS: '120' }
/** Stands still, because a question of the quiz stays open for seconds only. */
const began = new Date()
const clock = { now: () => began }
/** The first repeat waits until the last one waits too. */
const STATEMENT_MS = 240_000

beforeAll(async () => {
  replicas = await startReplicas()
  const node = await startPaymentChain()
  const settings = { ...node.settings, ...channels, ...MANY_CONNECTIONS }
  const api = await createTestTable({
    settings,
    house: '100000',
    database: replicas.primary,
    statementMs: STATEMENT_MS,
    clock,
  })
  await api.open(3_600)
  scene = { api, node }
})
afterEach(() => replicas.thaw())
afterAll(async () => {
  await promoted?.close()
  await scene.api.close()
  await scene.node.stop()
  await replicas.stop()
})

type Reply = Awaited<ReturnType<TestApi['send']>>
type Change = { name: string; isKeyed: boolean; send(api: Pick<TestApi, 'send'>): Promise<Reply> }

/** Every change, once with a key, and once more without if its own content is the key. */
async function prepareChanges(): Promise<Change[]> {
  const changes: Change[] = []
  for (const [name, example] of Object.entries(examples)) {
    changes.push(changeOf(name, await example(scene), newKey()))
    const other = await example(scene)
    if (other.withoutKey === 'repeat') changes.push(changeOf(name, other, undefined))
  }
  return changes
}

function changeOf(name: string, { token, id = '', body }: Example, key: string | undefined): Change {
  const [feature = '', call = ''] = name.split('.')
  const route = (routes as Record<string, Routes>)[feature]?.[call] as Route
  const headers = { token, ...(key && { 'idempotency-key': key }) }
  return {
    name: key ? name : `${name} without a key`,
    isKeyed: key !== undefined,
    send: (api) => api.send('POST', route.path.replace('{id}', id), body, headers),
  }
}

test.each(['transfers.send', 'plans.buy'])(
  '%s: a cancelled wait is answered 503, and a repeat with the same key finds out what happened',
  async (name) => {
    const example = await examples[name]?.(scene)
    const { send } = changeOf(name, example as Example, newKey())
    await replicas.freeze()
    const reply = send(scene.api)
    expect(await replicas.orWaits(reply)).toBe('waits')
    for (const pid of await replicas.listWaiting()) await replicas.cancel(pid)
    expect(await reply).toMatchObject({
      status: 503,
      body: { code: 'unavailable', Msg: 'We could not confirm this yet. It may be done: check before you try again.' },
    })
    replicas.thaw()
    expect((await send(scene.api)).status).toBe(200)
  },
)

test('no repeat of a change is answered before the change is on the standby, and then no failover loses it', async () => {
  const changes = await prepareChanges()
  await replicas.freeze()
  for (const { name, send } of changes) {
    const reply = send(scene.api)
    expect(await replicas.orWaits(reply), name).toBe('waits')
    for (const pid of await replicas.listWaiting()) await replicas.terminate(pid)
    expect((await reply).status, name).toBeGreaterThanOrEqual(500)
  }

  // The primary has all of them now, and the standby has none.
  const repeats: Promise<Reply>[] = []
  for (const { name, send } of changes) {
    const reply = send(scene.api)
    expect(await replicas.orWaits(reply, repeats.push(reply)), name).toBe('waits')
  }
  replicas.thaw()
  const replies = await Promise.all(repeats)
  expect(replies.filter(({ status }) => status !== 200)).toEqual([])

  await replicas.failOver()
  promoted = await createTestApi({
    settings: { ...scene.node.settings, ...channels },
    database: replicas.standby,
    clock,
  })
  const digest = () => digestTables((promoted as TestApi).context.db, ['session_proofs', 'sign_in_nonces'])
  const before = await digest()
  for (const [at, { name, send, isKeyed }] of changes.entries())
    expect(await send(promoted), name).toMatchObject({ status: 200, ...(isKeyed && { body: replies[at]?.body }) })
  expect(await digest()).toBe(before)
})
