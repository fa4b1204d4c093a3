import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { parseUsdt } from '../../src/protocol/money.ts'
import { createChain } from '../../src/server/chain/client.ts'
import { payFromFaucet } from '../../src/server/chain/faucet.ts'
import { OWNER_FILE, readConfig, SETTINGS_FILE } from '../../src/server/platform/config.ts'
import { killFamily, type Spawned, spawnWith, stillRunning } from '../../src/server/testing/processes.ts'
import { publishedKeys } from '../../src/server/testing/published-keys.ts'
import { createRandom } from '../faults/schedule.ts'

export type Options = {
  count: number
  seed: number
  /** The longest time between a start and the next crash. */
  aliveMsMax: number
  log: (line: string) => void
}
/** `wrong`: every halt, and every audit that published something else than that all invariants hold. */
export type Result = { slowestMs: number; audits: number; wrong: string[]; line: string }

/** Then it hangs. Starts of a minute were seen on a machine that other guests of its host kept busy. */
const READY_MS_MAX = 240_000
/** A start takes about this long. */
const START_MS = 3_000
const PAYMENT = parseUsdt('3')
/**
 * Below the ports that systems give to programs that ask for any free one. So no other test gets this port while the product
 * is down, and none of them can answer in its place.
 */
const PORT_MIN = 20_000
const PORTS = 10_000

/** Kills all processes of a running product at random moments, starts it again, and reads what it then published. */
export async function runCrashes({ count, seed, aliveMsMax, log }: Options): Promise<Result> {
  const random = createRandom(seed)
  const dataDir = mkdtempSync(join(tmpdir(), 'wellplay-crashes-'))
  const port = PORT_MIN + random.below(PORTS)
  const start = () => spawnWith(['up'], { DATA_DIR: dataDir, PORT: String(port) })
  let running = start()
  let slowestMs = 0
  let startedAt = new Date()
  try {
    await becomesReady(running, port)
    await untilFunded(running)
    for (let crash = 1; crash <= count; crash++) {
      await payUnseen(dataDir)
      await makeAuditDue(dataDir)
      await sleep(random.below(aliveMsMax))
      await killTree(running)
      running = start()
      // Every second one is killed again before it is ready.
      if (crash % 2 === 0) {
        await sleep(random.below(START_MS))
        await killTree(running)
        running = start()
      }
      startedAt = new Date()
      const readyMs = await becomesReady(running, port)
      slowestMs = Math.max(slowestMs, readyMs)
      log(`crash ${crash}: ready after ${seconds(readyMs)} s`)
    }
    const { audits, wrong } = await untilAudited(dataDir, startedAt)
    const line = `crashes=${count} slowest=${seconds(slowestMs)} s audits=${audits} wrong=${wrong.length} seed=${seed}`
    return { slowestMs, audits, wrong, line }
  } catch (cause) {
    throw new Error(`${(cause as Error).message}\n${endOf(running)}`, { cause })
  } finally {
    await killTree(running)
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1)

async function killTree({ child, ended }: Spawned): Promise<void> {
  const family = killFamily(child)
  await ended
  while (stillRunning(family).length > 0) await sleep(20)
}

/** Returns the time since the process was started. */
async function becomesReady({ child, output }: Spawned, port: number): Promise<number> {
  const began = performance.now()
  while (!(await isReady(port))) {
    if (child.exitCode !== null) throw new Error(`The product did not start: ${output()}`)
    if (performance.now() - began > READY_MS_MAX) throw new Error(`The product is not ready: ${output()}`)
    await sleep(50)
  }
  return performance.now() - began
}

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )

/** For a failure: a product that ended on its own says why only here. */
const endOf = ({ child, output }: Spawned): string =>
  `Exit code ${child.exitCode}, signal ${child.signalCode}. The product printed:\n${output()}`

/** The first start ends when the pools have their test money. */
async function untilFunded({ output }: Spawned): Promise<void> {
  while (!output().includes('Ctrl-C')) await sleep(200)
}

/** A payment that may become final while no worker runs. Without the watcher, the audit would miss it in the books. */
async function payUnseen(dataDir: string): Promise<void> {
  const settings = { ...readJson(join(dataDir, SETTINGS_FILE)), FAUCET_KEY: publishedKeys()[0] ?? '' }
  const chain = createChain(readConfig(settings).chain)
  await payFromFaucet(chain, chain.settings.vault, PAYMENT)
}

const readJson = (path: string): Record<string, string> => JSON.parse(readFileSync(path, 'utf8'))

async function asOwner<Result>(dataDir: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: readJson(join(dataDir, OWNER_FILE))['DATABASE_OWNER_URL'] })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The running worker looks at this only once a minute. The next one audits as soon as it starts. */
const makeAuditDue = (dataDir: string) =>
  asOwner(dataDir, (client) =>
    client.query(`insert into jobs (name, ran_at) values ('audit', '-infinity')
      on conflict (name) do update set ran_at = excluded.ran_at`),
  )

/** Waits for an audit after the last start, then reads all of them. */
const untilAudited = (dataDir: string, startedAt: Date): Promise<Pick<Result, 'audits' | 'wrong'>> =>
  asOwner(dataDir, async (client) => {
    const isAudited = async () =>
      (await client.query('select from audit_runs where at > $1', [startedAt])).rowCount !== 0
    while (!(await isAudited())) await sleep(200)
    const { rows: runs } = await client.query<{ at: Date; broken: number[]; unchecked: number[] }>(
      'select * from audit_runs',
    )
    const { rows: halts } = await client.query<{ at: Date; who: string; what: string; why: string }>(
      `select * from audit_log where what like '%payouts and bets%'`,
    )
    const wrong = [
      ...runs
        .filter(({ broken, unchecked }) => broken.length + unchecked.length > 0)
        .map(({ at, broken, unchecked }) => `${at.toISOString()}: broken ${broken}, not checked ${unchecked}`),
      ...halts.map(({ at, who, what, why }) => `${at.toISOString()}: ${who}: ${what}: ${why}`),
    ]
    return { audits: runs.length, wrong }
  })
