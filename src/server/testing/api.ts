import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import { z } from 'zod'
import type { ErrorBody } from '../../protocol/errors.ts'
import type { Route } from '../../protocol/route.ts'
import { users } from '../../protocol/users.ts'
import { createContext } from '../context.ts'
import type { Clock } from '../platform/clock.ts'
import { readConfig } from '../platform/config.ts'
import { newId } from '../platform/db.ts'
import { publish, publishThrough } from '../platform/events.ts'
import { createApi } from '../processes/api.ts'
import { STATEMENT_MS_MAX } from '../processes/api-databases.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { refuseWrongLockOrder } from './lock-order.ts'

export const PUBLIC_URL = 'http://localhost:3000'
const address = (digit: string) => `0x${digit.repeat(40)}`

/** Test settings, without a chain node unless `settings` names one. */
export const testConfig = (appUrl: string, settings: Record<string, string> = {}) =>
  readConfig({ ...testSettings(appUrl), ...settings })

/** The same settings as environment variables, for a separate process. */
export function testSettings(appUrl: string): Record<string, string> {
  return {
    DATABASE_URL: appUrl,
    DATABASE_CONNECTIONS: '8',
    PUBLIC_URL,
    RPC_URL: 'http://127.0.0.1:1',
    CHAIN_ID: '31337',
    USDT_ADDRESS: address('1'),
    JW_ADDRESS: address('2'),
    JWC_ADDRESS: address('3'),
    PAIR_ADDRESS: address('4'),
    VAULT_ADDRESS: address('5'),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'silent',
  }
}

export type TestOptions = {
  settings?: Record<string, string>
  clock?: Clock
  database?: TestDatabase
  /** Refuses transactions that lock accounts in a wrong order (lock-order.ts). */
  checksLockOrder?: boolean
  /** How long a statement may run, if a test makes calls wait for longer than in production. */
  statementMs?: number
}

const contextFor = (url: string, { settings, clock, statementMs = STATEMENT_MS_MAX.money }: TestOptions) =>
  createContext(testConfig(url, settings), 'test', clock, { statementMs, publishes: true })

/**
 * The whole API with its own database, called without a socket. The routes have only the rights of the API's role;
 * `context` has those of every process, so that a test can also do the work of the others.
 */
export async function createTestApi(options: TestOptions = {}) {
  const database = options.database ?? (await createTestDatabase())
  if (options.checksLockOrder) await refuseWrongLockOrder(database.ownerUrl)
  const [all, served] = [contextFor(database.appUrl, options), contextFor(database.urls.api, options)]
  // One connection for events, as in a real process. With a second one, a test could hear an event before the API has
  // dropped its shared replies, and events of the test could overtake those of the API.
  await all.context.events.stop()
  if (served.context.events.publisher) publishThrough(all.context.db, served.context.events.publisher)
  const context = { ...all.context, events: served.context.events }
  const http = await createApi({ ...served.context, chain: context.chain })

  async function send(method: 'GET' | 'POST', path: string, body?: unknown, headers: Record<string, string> = {}) {
    const payload = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
    const type = payload === undefined ? {} : { 'content-type': 'application/json' }
    const reply = await http.inject({
      method,
      url: `/api${path}`,
      headers: { ...type, ...headers },
      ...(payload && { payload }),
    })
    return { status: reply.statusCode, body: reply.json() as ErrorBody & Record<string, unknown> }
  }

  /**
   * Returns once the API has heard all events of earlier transactions, and so has dropped the shared replies that they
   * changed. Events arrive in the order of their transactions, so the last one to wait for is an own event to no one.
   */
  async function hearEvents(): Promise<void> {
    const own = { topic: `test ${randomUUID()}`, user: 0 }
    let isHeard = false
    const unsubscribe = context.events.subscribe(({ topic }) => {
      isHeard ||= topic === own.topic
    })
    // The listener may not be connected yet, and would miss a single event.
    for (; !isHeard; await sleep(2)) await publish(context.db, own)
    unsubscribe()
  }

  /** Calls a route as the typed client does; an error reply throws its code and message. */
  async function call<R extends Route>(
    route: R,
    input: z.input<R['input']>,
    token?: string,
  ): Promise<z.output<R['output']>> {
    const given = input as Record<string, unknown>
    const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => String(given[name]))
    const body = Object.fromEntries(Object.entries(given).filter(([name]) => !route.path.includes(`{${name}}`)))
    const headers = { ...(token && { token }), ...(route.changes && { 'idempotency-key': randomUUID() }) }
    if (route.shared) await hearEvents()
    const reply = await send(route.method, path, route.method === 'POST' ? body : undefined, headers)
    if (reply.status !== 200) throw new Error(`${reply.body.code}: ${reply.body.Msg}`)
    return z.decode(route.output, reply.body as never) as z.output<R['output']>
  }

  return {
    context,
    database,
    http,
    send,
    call,
    async close(): Promise<void> {
      await http.close()
      await Promise.all([all.close(), served.close()])
      await database.drop()
    },
  }
}

export type TestApi = Awaited<ReturnType<typeof createTestApi>>

/** A new wallet that can sign in. */
export function createTestWallet(privateKey = generatePrivateKey()) {
  const account = privateKeyToAccount(privateKey)

  async function signIn(api: Pick<TestApi, 'call'>, changes: Partial<Parameters<typeof createSiweMessage>[0]> = {}) {
    const fields = await api.call(users.nonce, { wallet_address: account.address })
    const message = createSiweMessage({
      address: account.address,
      domain: fields.domain,
      uri: fields.uri,
      version: '1',
      chainId: fields.chain_id,
      nonce: fields.nonce,
      issuedAt: fields.issued_at,
      statement: fields.statement,
      ...changes,
    })
    return { message, signature: await account.signMessage({ message }) }
  }

  return { account, privateKey, address: account.address.toLowerCase() as `0x${string}`, signIn }
}

type UserOptions = {
  username?: string
  referralCode?: string
  /** Never signed in with a browser key, so this user earns no referral rewards. */
  isUnbound?: boolean
  wallet?: ReturnType<typeof createTestWallet>
}

/** A registered user with a wallet. The token is of an unbound session, so calls need no proof. */
export async function aUser(api: TestApi, options: UserOptions = {}) {
  const wallet = options.wallet ?? createTestWallet()
  const username = options.username ?? `user_${randomBytes(5).toString('hex')}`
  const entry = await api.call(users.register, {
    ...(await wallet.signIn(api)),
    username,
    ...(options.referralCode && { referral_code: options.referralCode }),
  })
  const { number, referral_code } = await api.context.db
    .selectFrom('users')
    .select(['number', 'referral_code'])
    .where('id', '=', entry.id)
    .executeTakeFirstOrThrow()
  if (!options.isUnbound) await addEndedBrowserSession(api, number)
  return { ...entry, number, referralCode: referral_code, wallet }
}

/** Signs the user in with a browser key an hour ago, and out again. */
async function addEndedBrowserSession({ context }: TestApi, userNumber: number): Promise<void> {
  const now = Date.now()
  await context.db
    .insertInto('sessions')
    .values({
      id: newId(),
      user_number: userNumber,
      token_hash: randomBytes(32),
      proof_key: JSON.stringify({ kty: 'EC', crv: 'P-256', x: randomUUID(), y: randomUUID() }),
      device: 'a browser',
      created_at: new Date(now - 3_600_000),
      ended_at: new Date(now),
    })
    .execute()
}
