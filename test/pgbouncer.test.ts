import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { listMissingPackages } from '../scripts/debian-packages.mjs'
import { parseUsdt } from '../src/protocol/money.ts'
import { freePort, type LoginName } from '../src/server/embedded/postgres.ts'
import { getUserBalances } from '../src/server/ledger/balances.ts'
import { checkProcess } from '../src/server/operators/start-check.ts'
import { createPool } from '../src/server/platform/db.ts'
import { migrate } from '../src/server/platform/migrate.ts'
import type { ProcessName } from '../src/server/platform/settings.ts'
import { testSettings } from '../src/server/testing/api.ts'
import { aPlayer, createTestTable, type TestTable } from '../src/server/testing/colour.ts'
import { createOwnerPool, createTestDatabase, runAsOwner, type TestDatabase } from '../src/server/testing/database.ts'
import { USES_CHANNEL } from '../src/server/testing/events.ts'
import { signTransfer } from '../src/server/testing/payments.ts'
import { startPgbouncer } from '../src/server/testing/pgbouncer.ts'
import { giveWallet } from '../src/server/testing/plans.ts'
import { type Spawned, spawnProcess } from '../src/server/testing/processes.ts'

const KEY = `0x${'1'.repeat(64)}`
const CALLS = 30

// `npm test` installs PgBouncer if it may, and otherwise says at its end that these tests were left out.
describe.skipIf(listMissingPackages(['pgbouncer']).length > 0)('with PgBouncer in transaction mode', () => {
  let database: TestDatabase
  let bouncer: Awaited<ReturnType<typeof startPgbouncer>>
  let table: TestTable
  let players: Player[]
  const ports: number[] = []
  const started: Spawned[] = []
  type Player = Awaited<ReturnType<typeof aPlayer>>

  const settingsOf = (login: LoginName): Record<string, string> => ({
    ...testSettings(bouncer.through(database.urls[login])),
    DATABASE_LISTEN_URL: database.urls[login],
  })

  beforeAll(async () => {
    database = await createTestDatabase()
    // A copied database does not have the limits of the logins.
    await migrate(database.ownerUrl)
    bouncer = await startPgbouncer(database)
    // With another login than the processes, so that their sessions can be counted.
    table = await createTestTable({ database: { ...database, urls: { ...database.urls, api: database.appUrl } } })
    await table.open()
    players = [await aPlayer(table), await aPlayer(table)]
    for (const { number } of players) await giveWallet(table, number, '100')
    ports.push(await freePort(), await freePort())
    for (const port of ports) started.push(spawnProcess('api', { ...settingsOf('api'), PORT: String(port) }))
    await table.owner.query(`insert into jobs (name, ran_at) values ('close-quiz-games', '-infinity')`)
    started.push(spawnProcess('worker', { ...settingsOf('worker'), HOT_WALLET_KEY: KEY, PUBLISHER_KEY: KEY }))
    for (const at of [0, 1]) await isReady(at)
  })
  afterAll(async () => {
    for (const { child, ended } of started) {
      child.kill('SIGKILL')
      await ended
    }
    await table.close()
    await bouncer.stop()
  })

  const isReady = (at: number) =>
    vi.waitFor(async () => expect((await fetch(`http://127.0.0.1:${ports[at]}/readyz`)).ok).toBe(true), 60_000)

  /** Calls one of the two API processes. */
  async function call(at: number, { token }: Player, path: string, body: object): Promise<number> {
    const headers = { 'content-type': 'application/json', token, 'idempotency-key': crypto.randomUUID() }
    const reply = await fetch(`http://127.0.0.1:${ports[at]}/api${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return reply.status
  }

  async function transfer(at: number): Promise<number> {
    const [from, to] = players as [Player, Player]
    const order = { to_user: to.username, amount: '0.5', source: 'wallet' } as const
    return call(at, from, '/internal_transfer/', { ...order, ...(await signTransfer(from, order)) })
  }
  const bet = (at: number, player: number) =>
    call(at, players[player] as Player, '/place-bet/', { amount: '1', color: 'green' })
  const balancesOf = (player: number) => getUserBalances(table.context.db, players[player]?.number ?? 0)

  /** Sessions of the server that the two processes use. */
  async function sessionsOfApi(condition: string): Promise<unknown[]> {
    const ours = `select from pg_stat_activity where usename = 'wellplay_api' and datname = current_database()`
    return (await table.owner.query(`${ours} and ${condition}`)).rows
  }

  test('transfers and bets of two API processes succeed, although they share a few sessions', async () => {
    const calls = Array.from({ length: CALLS }, (_, at) => [transfer(at % 2), bet(at % 2, at % players.length)])
    expect(new Set(await Promise.all(calls.flat()))).toEqual(new Set([200]))
    expect(await balancesOf(0)).toMatchObject({ wallet: parseUsdt('85'), bet: parseUsdt('85') })
    expect(await balancesOf(1)).toMatchObject({ wallet: parseUsdt('115'), bet: parseUsdt('85') })
  })

  test('an event of one API process reaches a page at the other one', async () => {
    const [anna] = players as [Player]
    await expect.poll(async () => (await sessionsOfApi(USES_CHANNEL)).length).toBe(ports.length)
    const page = new AbortController()
    const reply = await fetch(`http://127.0.0.1:${ports[1]}/api/events/`, {
      headers: { token: anna.token },
      signal: page.signal,
    })
    const stream = reply.body?.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]()
    const sent = transfer(0)
    let text = ''
    while (!text.includes('event: balance')) text += (await stream?.next())?.value ?? ''
    expect(await sent).toBe(200)
    page.abort()
  })

  test('the worker runs a job that is due', async () => {
    const hasRun = `select from jobs where name = 'close-quiz-games' and ran_at > '-infinity'`
    await expect.poll(async () => (await table.owner.query(hasRun)).rowCount).toBe(1)
  })

  test('after kill −9 of PgBouncer calls get 503, and succeed again when it is back', async () => {
    await bouncer.kill()
    expect([await transfer(0), await transfer(1)]).toEqual([503, 503])
    await bouncer.restart()
    for (const at of [0, 1]) await expect.poll(() => transfer(at)).toBe(200)
  })

  test('when the server ends the sessions during calls, those get 503 and the next ones succeed', async () => {
    const locker = createOwnerPool(database.ownerUrl)
    await locker.query('begin; lock table sessions in access exclusive mode')
    const calls = [0, 1].map(transfer)
    await expect.poll(async () => (await sessionsOfApi(`wait_event_type = 'Lock'`)).length).toBe(calls.length)
    await table.owner.query(`select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock'
      and usename = 'wellplay_api' and datname = current_database()`)
    expect(await Promise.all(calls)).toEqual([503, 503])
    await locker.end()
    expect(await Promise.all([0, 1].map(transfer))).toEqual([200, 200])
  })

  test('the logins have their limits, which PgBouncer does not pass on', async () => {
    const limits = async (login: LoginName) => {
      const pool = createPool(bouncer.through(database.urls[login]), 1, { isPooled: true })
      const { rows } = await pool.query(
        `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
           current_setting('idle_in_transaction_session_timeout') as idle`,
      )
      await pool.end()
      return rows[0]
    }
    expect(await limits('api')).toEqual({ statement: '10s', lock: '0', idle: '30s' })
    expect(await limits('worker')).toEqual({ statement: '2min', lock: '10s', idle: '30s' })
  })

  test('wrong addresses and missing limits are reported when a process starts', async () => {
    const check = async (name: ProcessName, settings: Record<string, string>) =>
      (await checkProcess(name, settings)).mistakes
    const right = settingsOf('api')
    const { DATABASE_LISTEN_URL: _, ...without } = right
    const pooled = right['DATABASE_URL'] ?? ''
    const answers = 'a connection pooler such as PgBouncer answers here.'
    expect(await check('api', right)).toEqual([])
    expect(await check('api', without)).toEqual([
      `DATABASE_URL: ${answers} Set DATABASE_LISTEN_URL too, with an address of the database server itself.`,
    ])
    expect(await check('api', { ...right, DATABASE_LISTEN_URL: pooled })).toEqual([
      `DATABASE_LISTEN_URL: ${answers} This setting needs an address of the database server itself.`,
    ])
    expect(await check('migrate', { DATABASE_OWNER_URL: bouncer.through(database.ownerUrl) })).toEqual([
      `DATABASE_OWNER_URL: ${answers} This setting needs an address of the database server itself.`,
    ])
    const other = await createTestDatabase()
    expect(await check('api', { ...right, DATABASE_LISTEN_URL: other.urls.api })).toEqual([
      'DATABASE_LISTEN_URL: this is another database than that of DATABASE_URL.',
    ])
    const name = new URL(other.ownerUrl).pathname.slice(1)
    const unlimited = { ...right, DATABASE_URL: bouncer.through(other.urls.api), DATABASE_LISTEN_URL: other.urls.api }
    const [sentence = ''] = await check('api', unlimited)
    expect(sentence).toBe(
      'DATABASE_URL: the login wellplay_api has no time limits, and a connection pooler does not pass ours on. Run as an ' +
        `administrator of the database server: alter role wellplay_api in database ${name} set statement_timeout = 10000; ` +
        `alter role wellplay_api in database ${name} set idle_in_transaction_session_timeout = 30000;`,
    )
    await runAsOwner(other.ownerUrl, sentence.split('server: ')[1] ?? '')
    expect(await check('api', { ...unlimited, DATABASE_URL: other.urls.api })).toEqual([])
    await other.drop()
  })
})
