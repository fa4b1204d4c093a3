import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { balance } from '../src/protocol/balance.ts'
import type { Route, Routes } from '../src/protocol/route.ts'
import { routes } from '../src/protocol/routes.ts'
import { support } from '../src/protocol/support.ts'
import { users } from '../src/protocol/users.ts'
import { runAudit } from '../src/server/ledger/audit.ts'
import { invariants } from '../src/server/operators/invariants.ts'
import { createLog } from '../src/server/platform/log.ts'
import { aUser, createTestApi, type TestApi } from '../src/server/testing/api.ts'
import { bindSession } from '../src/server/testing/bound.ts'
import { numberFromOutside } from '../src/server/testing/numbers.ts'
import { runTestOps } from '../src/server/testing/ops.ts'
import { transfer } from '../src/server/testing/payments.ts'
import { giveWallet, purchaseBody, type TestUser } from '../src/server/testing/plans.ts'
import { createTexts } from './user-text/texts.ts'

/** Sends hostile texts in every field that stores text, and then checks that nothing is broken (R24). */
const SEED = Number(process.env['SEED'] ?? 20_260_101)
const PEOPLE = 30
const AT_ONCE = 40

let api: TestApi
type Person = TestUser & { request_id: string; postBound: Awaited<ReturnType<typeof bindSession>> }
let people: Person[]
let nextText: () => string

beforeAll(async () => {
  api = await createTestApi()
  people = await Promise.all(Array.from({ length: PEOPLE }, aPerson))
  // The first transfer to a recipient is signed. Later ones need only a bound session.
  await Promise.all(people.map((person, index) => transfer(api, person, personAt(index + 1), '0.01')))
  nextText = createTexts(
    SEED,
    people.map(({ token }) => token),
  )
})
afterAll(() => api.close())

async function aPerson(): Promise<Person> {
  const user = await aUser(api)
  await giveWallet(api, user.number, '100')
  const { request } = await api.call(support.open, { topic: 'other', subject: 'Hi', text: 'Hello' }, user.token)
  return { ...user, request_id: `request_${request.id}`, postBound: await bindSession(api, user) }
}

const personAt = (index: number) => people[index % PEOPLE] as Person
const post = (path: string, body: object, headers: Record<string, string>) =>
  api.send('POST', path, body, { 'idempotency-key': randomUUID(), ...headers })
/** HTTP allows only these characters in a header. */
const asHeader = (text: string) => text.replace(/[^\x20-\x7e\xa0-\xff]/g, '')

async function signInWith(device: string, user: TestUser) {
  return post('/auth/login/', await user.wallet.signIn(api), { 'user-agent': device })
}

type Field = { times: number; send(text: string, index: number): Promise<{ status: number }> }

/** Every place where text of a user arrives and is stored or used as a key. */
const fields: Record<string, Field> = {
  'the note of a transfer': {
    times: numberFromOutside('NOTES', 1_500),
    send: (note, index) => {
      const body = { to_user: personAt(index + 1).username, amount: '0.01', source: 'wallet', note }
      return personAt(index).postBound('/internal_transfer/', body)
    },
  },
  'a support message': {
    times: 36 * PEOPLE,
    send: (text, index) => {
      const { token, request_id } = personAt(index)
      return post('/support/reply/', { request_id, text }, { token })
    },
  },
  'the subject of a request': {
    times: 3 * PEOPLE,
    send: (subject, index) =>
      post('/support/open/', { topic: 'other', subject, text: 'Hello' }, { token: personAt(index).token }),
  },
  'the name of a device': { times: 130, send: (text, index) => signInWith(asHeader(text), personAt(index)) },
  'an idempotency key': {
    times: 1_000,
    send: (text, index) =>
      post('/quiz/visibility/', { hide: true }, { token: personAt(index).token, 'idempotency-key': asHeader(text) }),
  },
  'the reference of a purchase': {
    times: 700,
    send: (text, index) => {
      const user = personAt(index)
      return post('/gamebuyplan/', purchaseBody(api, user, '10', 1, `internal.${text}`), { token: user.token })
    },
  },
  'a username': {
    times: 500,
    send: (username) => post('/auth/register/', { message: 'x', signature: '0x00', username }, {}),
  },
}

/** Sends the field's texts, some at a time, and returns how often each status was the reply. */
async function sendAll({ times, send }: Field): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {}
  let sent = 0
  async function sender(): Promise<void> {
    while (sent < times) {
      const [text, index] = [nextText(), sent++]
      const { status } = await send(text, index)
      if (status >= 500) throw new Error(`${status} for ${JSON.stringify(text)}`)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sender))
  return statuses
}

const brokenInvariants = async () =>
  (await runAudit(api.context.db, invariants)).invariants.filter(({ findings }) => findings.length > 0)

/** Fields that accept any text, by the schemas of all routes. A new one must be added here and above. */
const freeTexts = Object.entries<Routes>(routes)
  .flatMap(([feature, table]) =>
    Object.entries<Route>(table).flatMap(([name, { input }]) =>
      Object.entries((input as { shape?: Record<string, Route['input']> }).shape ?? {})
        .filter(([, schema]) => schema.safeParse('Any text, really: ☃!').success)
        .map(([field]) => `${feature}.${name} ${field}`),
    ),
  )
  .sort()

test('the fields that accept any text are known', () => {
  expect(freeTexts).toEqual([
    'quiz.start token', // compared, never stored
    'support.appeal text',
    'support.open subject',
    'support.open text',
    'support.reply text',
    'transfers.send note',
    'users.login message', // verified, never stored
    'users.register message',
    'wallet.rpc id', // returned, never stored
  ])
  expect(support.appeal.input.shape.text).toBe(support.reply.input.shape.text)
})

test('hostile texts in every field break no invariant and never cause a 500', { timeout: 600_000 }, async () => {
  for (const [name, field] of Object.entries(fields)) {
    const statuses = await sendAll(field)
    if (name !== 'a username') expect(statuses[200], `${name}: ${JSON.stringify(statuses)}`).toBeGreaterThan(20)
  }
  expect(await brokenInvariants()).toEqual([])
})

test('a session token is hidden wherever its owner writes it', async () => {
  const owner = await aPerson()
  const { token, request_id } = owner
  const thread = await api.call(support.reply, { request_id, text: `My token is "${token}". Help!` }, token)
  expect(thread.data.at(-1)?.text).toBe('My token is "[hidden session token]". Help!')
  // The server keeps 200 characters of a device name. Cutting must not turn a longer word into the token.
  await signInWith(`${' '.repeat(157)}${token}AAAA`, owner)
  await signInWith(`Browser/1 ${token}`, owner)
  const { data } = await api.call(users.sessions, {}, token)
  expect(data.map(({ device }) => device).join()).not.toContain(token)
  expect(await brokenInvariants()).toEqual([])
})

test('a session token is refused as a key, as a reference and as a part of a public key', async () => {
  const owner = await aUser(api)
  const { token } = owner
  const keyed = await post('/quiz/visibility/', { hide: true }, { token, 'idempotency-key': `key.${token}` })
  expect(keyed.status).toBe(400)
  const bought = await post('/gamebuyplan/', purchaseBody(api, owner, '10', 1, `internal.${token}`), { token })
  expect(bought.status).toBe(400)
  const proof_key = { kty: 'EC', crv: 'P-256', x: token, y: token }
  const signed = await post('/auth/login/', { ...(await owner.wallet.signIn(api)), proof_key }, {})
  expect(signed).toMatchObject({
    status: 400,
    body: { field: 'proof_key.x', Msg: expect.stringContaining('32 bytes') },
  })
  expect(await brokenInvariants()).toEqual([])
})

test('no text brings a control character to the operator’s terminal', async () => {
  const { text: list } = await runTestOps(api, ['support', 'list', '--all'])
  const shown = await Promise.all(people.map(({ request_id }) => runTestOps(api, ['support', 'show', request_id])))
  const lines = [list, ...shown.map(({ text }) => text)].join('\n').split('\n')
  expect(lines.length).toBeGreaterThan(1_000)
  expect(lines.filter((line) => /[\p{Cc}\u2028-\u202e\u2066-\u2069\u200e\u200f\u061c]/u.test(line))).toEqual([])
})

test('a statement as CSV has no cell that a spreadsheet would run', async () => {
  const { csv } = await api.call(balance.statementCsv, { account: 'wallet' }, personAt(0).token)
  // A cell is plain, or quoted with its quotes doubled.
  const cells = [...csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(?:,|\r\n)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  )
  expect(cells.length).toBeGreaterThan(200)
  expect(cells.filter((cell) => /^\s*[=+@\t\r-]/.test(cell) && !/^-?\d+(\.\d+)?$/.test(cell))).toEqual([])
  expect(cells.filter((cell) => cell.startsWith("'="))).not.toEqual([])
})

test('each logged text is one line of JSON', () => {
  const lines: string[] = []
  const log = createLog('info', 'test', { write: (line) => void lines.push(line) })
  for (let count = 0; count < 1_000; count++) log.info({ text: nextText() }, nextText())
  expect(lines).toHaveLength(1_000)
  for (const line of lines) {
    expect(line.trimEnd().split(/[\n\r\v\f\u0085\u2028\u2029]/)).toHaveLength(1)
    expect(JSON.parse(line)).toMatchObject({ name: 'test' })
  }
})
