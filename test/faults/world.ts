import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { micro, parseUsdt } from '../../src/protocol/money.ts'
import { users as userRoutes } from '../../src/protocol/users.ts'
import { freePort, type LoginName, startPostgres } from '../../src/server/embedded/postgres.ts'
import { readConfig } from '../../src/server/platform/config.ts'
import { surviveDisconnects } from '../../src/server/platform/db.ts'
import { migrate } from '../../src/server/platform/migrate.ts'
import { fundDevelopment } from '../../src/server/processes/development.ts'
import { createTestWallet, testSettings } from '../../src/server/testing/api.ts'
import { startBadNode } from '../../src/server/testing/bad-node.ts'
import { startPaymentChain } from '../../src/server/testing/chain.ts'
import { type Client, createClient } from './client.ts'
import { createModel } from './model.ts'
import { keepProcess } from './processes.ts'
import { USERS } from './schedule.ts'

const BLOCK_MS = 400
const FIRST_DEPOSIT = parseUsdt('4000')

/** The whole product in separate processes, with a database and a chain, connected through the bad node. */
export async function createWorld() {
  const folder = mkdtempSync(join(tmpdir(), 'wellplay-test-'))
  // PostgreSQL does not run as root and needs access to the folder.
  chmodSync(folder, 0o755)
  const [postgres, chain] = await Promise.all([
    startPostgres({ dataDir: join(folder, 'postgres') }),
    startPaymentChain(),
  ])
  await migrate(postgres.ownerUrl)
  const owner = surviveDisconnects(new pg.Pool({ connectionString: postgres.ownerUrl, max: 4 }))
  owner.on('error', () => {})
  const node = await startBadNode(chain.settings.RPC_URL)
  // With the worker's login: the faults do its work in processes of their own.
  const settings = {
    ...testSettings(postgres.urls.worker),
    ...chain.settings,
    RPC_URL: node.url,
    FAUCET_KEY: chain.richKey,
    LOG_LEVEL: 'warn',
  }
  const as = (name: LoginName) => ({ ...settings, DATABASE_URL: postgres.urls[name] })
  const miner = keepMining(() => chain.mine())
  const ports = await Promise.all([freePort(), freePort()])
  mkdirSync(join(folder, 'logs'))
  const apis = ports.map((port, at) =>
    keepProcess('api', { ...as('api'), PORT: String(port) }, join(folder, 'logs', `api-${at}.log`)),
  )
  const worker = keepProcess('worker', as('worker'), join(folder, 'logs', 'worker.log'))
  const seeds = keepProcess('seeds', as('seeds'), join(folder, 'logs', 'seeds.log'))
  const client = createClient(ports)
  const world = {
    folder,
    postgres,
    chain,
    node,
    owner,
    settings,
    apis,
    worker,
    client,
    model: createModel(),
    miner,
    async stop({ keepLogs = false } = {}): Promise<void> {
      await Promise.all([...apis, worker, seeds].map((kept) => kept.stop()))
      await miner.stop()
      node.stop()
      await owner.end().catch(() => {})
      await postgres.stop()
      await chain.stop()
      rmSync(keepLogs ? join(folder, 'postgres') : folder, { recursive: true, force: true })
    },
  }
  try {
    await fundDevelopment(readConfig({ ...as('operator'), RPC_URL: chain.settings.RPC_URL }), join(folder, 'operators'))
    const people: Person[] = []
    for (let count = 0; count < USERS; count++)
      people.push(await register(world.client, owner, people.at(-1)?.referralCode))
    for (const { wallet } of people) {
      await chain.give(wallet.address, micro(FIRST_DEPOSIT * 2n))
      await chain.pay(wallet.privateKey, FIRST_DEPOSIT)
    }
    await untilTrue(async () => (await countDeposits(owner)) === USERS)
    return { ...world, people }
  } catch (error) {
    await world.stop()
    throw error
  }
}

export type World = Awaited<ReturnType<typeof createWorld>>
export type Person = Awaited<ReturnType<typeof register>>

/** Registers a user below the previous one, so that purchases pay an upline. */
async function register(client: Client, owner: pg.Pool, referralCode: string | undefined) {
  const wallet = createTestWallet()
  const username = `p${wallet.address.slice(2, 14)}`
  const { token, id, wallet_address } = await client.call(userRoutes.register, {
    ...(await wallet.signIn(client)),
    username,
    ...(referralCode && { referral_code: referralCode }),
  })
  // As if the user had also signed in with a browser key: others earn no referral rewards.
  await owner.query('update users set bound_at = now() where id = $1', [id])
  const { rows } = await owner.query('select number, referral_code from users where id = $1', [id])
  const row = rows[0] as { number: number; referral_code: string }
  return { wallet, username, token, wallet_address, number: row.number, referralCode: row.referral_code }
}

const countDeposits = async (owner: pg.Pool): Promise<number> =>
  (await owner.query("select count(*)::int as count from ledger_postings where kind = 'chain_deposit'")).rows[0].count

/** Waits for a condition. Errors, such as during a database restart, count as false. */
export async function untilTrue(condition: () => Promise<boolean>, timeoutMs = 180_000): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (!(await condition().catch(() => false))) {
    if (performance.now() > deadline) throw new Error(`Timed out waiting for: ${condition}`)
    await sleep(200)
  }
}

/** Mines blocks continuously, except while `alone` runs other work. */
function keepMining(mine: () => Promise<void>) {
  let isStopped = false
  let turn: Promise<unknown> = Promise.resolve()
  const alone = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const mineTurn = turn.then(work)
    turn = mineTurn.catch(() => {})
    return mineTurn
  }
  const running = (async () => {
    while (!isStopped) {
      await alone(mine).catch(() => {})
      await sleep(BLOCK_MS)
    }
  })()
  return {
    alone,
    async stop(): Promise<void> {
      isStopped = true
      await running
    },
  }
}
