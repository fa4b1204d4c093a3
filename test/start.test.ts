import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test, vi } from 'vitest'
import { freePort } from '../src/server/embedded/postgres.ts'
import { familyOf, killAll, killFamily, stillRunning } from '../src/server/testing/processes.ts'

const MAIN = join(import.meta.dirname, '../src/server/main.ts')
const START = { timeout: 1_500_000 }
const folder = mkdtempSync(join(tmpdir(), 'wellplay-start-'))
const dataDir = join(folder, 'data')
const port = await freePort()
const started: ChildProcess[] = []
afterAll(() => {
  for (const child of started) killFamily(child)
  rmSync(folder, { recursive: true, force: true })
})

function run(settings: Record<string, string>): ChildProcess {
  const env = { ...process.env, DATA_DIR: dataDir, PORT: String(port), ...settings }
  const child = spawn(process.execPath, [MAIN, 'up'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  started.push(child)
  return child
}

async function runUntilExit(settings: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const child = run(settings)
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const { stdout, stderr } = child
  if (!stdout || !stderr) throw new Error('no output')
  const output = await Promise.all([text(stdout), text(stderr)])
  return { code: await ended, output: output.join('') }
}

async function start(): Promise<ChildProcess> {
  const child = run({})
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk
  })
  await vi.waitFor(
    () => {
      if (child.exitCode !== null) throw new Error(`ended: ${output}`)
      expect(output).toContain('Ctrl-C')
    },
    { ...START, interval: 200 },
  )
  return child
}

const gone = (family: number[]) => expect.poll(() => stillRunning(family)).toEqual([])

async function finalBlock(tag = 'finalized'): Promise<{ number: string; hash: string }> {
  const settings = JSON.parse(readFileSync(join(dataDir, 'settings.json'), 'utf8'))
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: [tag, false] })
  const reply = await fetch(settings.RPC_URL, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return (await reply.json()).result
}

/** The private ports of all processes, as `up` lists them for Prometheus. */
async function answeringJobs(): Promise<string[]> {
  type Target = { targets: string[]; labels: { job: string } }
  const targets: Target[] = JSON.parse(readFileSync(join(dataDir, 'prometheus-targets.json'), 'utf8'))
  const isUp = ({ targets: [address] }: Target) =>
    fetch(`http://${address}/metrics`).then(
      ({ ok }) => ok,
      () => false,
    )
  const answers = await Promise.all(targets.map(isUp))
  return targets.filter((_, at) => answers[at]).map(({ labels }) => labels.job)
}

/** Polls, because the chain may not reply for a second after the start. */
const becomesReady = () =>
  vi.waitFor(async () => expect(await (await fetch(`http://127.0.0.1:${port}/readyz`)).json()).toMatchObject(READY), {
    timeout: 30_000,
    interval: 500,
  })
const READY = { status: 'ready' }
const audit = () =>
  spawnSync(process.execPath, [MAIN, 'ops', 'audit'], {
    env: { ...process.env, DATA_DIR: dataDir },
    encoding: 'utf8',
  }).stdout

test('all invalid settings are reported together, before anything starts', START, async () => {
  const settings = {
    PORT: 'abc',
    NETWORK: 'moon',
    DATABASE_URL: 'postgres://127.0.0.1/x',
    DATA_DIR: join(folder, 'bad'),
  }
  const { code, output } = await runUntilExit(settings)
  expect(code).toBe(1)
  for (const name of ['NETWORK', 'PORT', 'DATABASE_URL']) expect(output).toContain(`  - ${name}: `)
  expect(output).not.toContain('    at ')
  expect(existsSync(join(folder, 'bad'))).toBe(false)
})

test('a public network without a chain node is refused: no development chain is started for it', START, async () => {
  const { code, output } = await runUntilExit({ NETWORK: 'bsc', DATA_DIR: join(folder, 'bsc') })
  expect(code).toBe(1)
  expect(output).toContain('NETWORK=bsc needs RPC_URL. Only the development network has an embedded chain node.')
  expect(output).toContain('CHAIN_ID: missing')
  expect(existsSync(join(folder, 'bsc'))).toBe(false)
})

test('a port in use is reported with one clear sentence', START, async () => {
  const other = createServer()
  const taken = await new Promise<number>((resolve) =>
    other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port)),
  )
  const { code, output } = await runUntilExit({ PORT: String(taken), DATA_DIR: join(folder, 'other') })
  other.close()
  expect(code).toBe(1)
  expect(output.trim()).toBe(`Port ${taken} is in use. Choose another one: PORT=${taken + 1} npm start`)
})

test(
  'kill −9 of all processes loses nothing; a second instance is refused; a stop leaves no process behind',
  START,
  async () => {
    const first = await start()
    await becomesReady()
    await expect.poll(answeringJobs).toEqual(['wellplay-api', 'wellplay-worker', 'wellplay-seeds', 'wellplay-market'])
    const second = await runUntilExit({ PORT: String(await freePort()) })
    expect(second.code).toBe(1)
    expect(second.output.trim()).toBe(`Wellplay is already running on this data: http://localhost:${port}`)
    const block = await finalBlock()
    const family = killFamily(first)
    expect(family.length).toBeGreaterThan(5)
    await gone(family)

    const again = await start()
    expect((await finalBlock(block.number)).hash).toBe(block.hash)
    await becomesReady()
    // The restarted node has no state of older blocks, so the worker must have read a new one.
    await expect.poll(audit).toContain('All invariants hold.')

    const alone = familyOf(again)
    killAll([again.pid ?? 0])
    await gone(alone)

    const last = await start()
    const all = familyOf(last)
    const ended = new Promise((resolve) => last.once('exit', resolve))
    last.kill('SIGTERM')
    expect(await ended).toBe(0)
    await gone(all)
  },
)
