import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../platform/start-error.ts'
import { lastLines, startChild, withLogFile } from './child.ts'
import { DEVELOPMENT_CHAIN_ID } from './contracts.ts'
import { freePort } from './postgres.ts'

export type Anvil = { rpcUrl: string; stop(): Promise<void> }
export type AnvilOptions = {
  /** Where the state is kept; without it the chain ends with the process. */
  dataDir?: string
  /** Without it blocks come only when asked for. */
  blockTimeSeconds?: number
  port?: number
}

const ROOT = join(import.meta.dirname, '../../..')
const START_MS_MAX = 30_000

/** A real EVM node on the loopback whose blocks are final two blocks later, as on BSC. */
export async function startAnvil({ dataDir, blockTimeSeconds, port: wanted }: AnvilOptions): Promise<Anvil> {
  const port = wanted ?? (await freePort())
  const rpcUrl = `http://127.0.0.1:${port}`
  const args = [
    '--port',
    String(port),
    '--chain-id',
    String(DEVELOPMENT_CHAIN_ID),
    '--slots-in-an-epoch',
    '1',
    '--silent',
  ]
  args.push(...(blockTimeSeconds ? ['--block-time', String(blockTimeSeconds)] : ['--no-mining']))
  if (dataDir) args.push('--state', prepareState(dataDir), '--state-interval', '5')
  const { command, before } = findBinary()
  const start = (output: number | 'inherit') =>
    startChild({ command, args: [...before, ...args], cwd: dataDir ?? ROOT, signal: 'INT', output })
  const log = join(dataDir ?? join(ROOT, '.cache'), 'anvil.log')
  mkdirSync(join(log, '..'), { recursive: true })
  const child = withLogFile(log, start)
  const deadline = Date.now() + START_MS_MAX
  while (!(await answers(rpcUrl))) {
    if (!child.running() || Date.now() > deadline)
      throw new StartError(`The chain did not start:\n${lastLines(log, 10)}`)
    await sleep(50)
  }
  return { rpcUrl, stop: () => child.stop() }
}

/** anvil writes its state in place: a kill in the middle leaves half a file, so the last whole one is kept beside it. */
function prepareState(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true })
  const [state, kept] = [join(dataDir, 'state.json'), join(dataDir, 'state.whole.json')]
  if (isWhole(state)) copyFileSync(state, kept)
  else if (existsSync(kept)) copyFileSync(kept, state)
  else if (existsSync(state)) renameSync(state, `${state}.broken`)
  return state
}

function isWhole(path: string): boolean {
  try {
    JSON.parse(readFileSync(path, 'utf8'))
    return true
  } catch {
    return false
  }
}

/** The native binary, or on Linux arm64 the amd64 one under emulation (see scripts/install.mjs). */
function findBinary(): { command: string; before: string[] } {
  const processor = process.arch === 'x64' ? 'amd64' : process.arch
  const native = join(ROOT, 'node_modules/@foundry-rs', `anvil-${process.platform}-${processor}`, 'bin/anvil')
  if (existsSync(native)) return { command: native, before: [] }
  const emulated = join(ROOT, '.cache/anvil-amd64/package/bin/anvil')
  if (existsSync(emulated)) return { command: 'qemu-x86_64-static', before: ['-L', '/usr/x86_64-linux-gnu', emulated] }
  throw new StartError('anvil is missing. Run node scripts/install.mjs, or set RPC_URL to a node of your own.')
}

async function answers(rpcUrl: string): Promise<boolean> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(1_000),
  }
  return fetch(rpcUrl, request).then(
    (reply) => reply.ok,
    () => false,
  )
}
