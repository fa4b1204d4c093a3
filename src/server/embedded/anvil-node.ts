import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../platform/start-error.ts'
import { type Child, lastLines, startChild, withLogFile } from './child.ts'
import { freePort } from './postgres.ts'

/** The chain id of every development chain. Wallets know it as a local chain. */
export const DEVELOPMENT_CHAIN_ID = 31_337

export type AnvilNode = {
  port: number
  child: Child
  rpc: <Result>(method: string, params?: unknown[]) => Promise<Result>
}

type NodeOptions = { statePath?: string | undefined; logPath: string; automine?: boolean; forkOf?: string }

/**
 * Starts a plain anvil on a free port. It mines only on request or, with `automine`, on every transaction. With `forkOf`, it
 * has the blocks of another node up to now, and its own ones after them.
 */
export async function startAnvilNode({
  statePath,
  logPath,
  automine = false,
  forkOf,
}: NodeOptions): Promise<AnvilNode> {
  const { command, args } = findAnvil()
  const port = await freePort()
  const flags = [
    ['--port', String(port), '--host', '127.0.0.1', '--chain-id', String(DEVELOPMENT_CHAIN_ID), '--quiet'],
    ['--balance', '1000000000', '--slots-in-an-epoch', '1'],
    // Later hardforks store each block's hash in the state, and each stored state is a full copy: memory and time would
    // grow with the square of the chain's length. Fifty states are enough for queries at the finalized block.
    ['--hardfork', 'cancun', '--prune-history', '50'],
    automine ? [] : ['--no-mining'],
    statePath ? ['--load-state', statePath] : [],
    forkOf ? ['--fork-url', forkOf] : [],
  ].flat()
  // anvil reacts slowly to other signals, and it has no data that is not on our disk.
  const child = withLogFile(logPath, (output) =>
    startChild({ command, args: [...args, ...flags], signal: 'KILL', output }),
  )
  const node: AnvilNode = { port, child, rpc: (method, params) => call(port, method, params) }
  while (child.running()) {
    if (await isUp(node)) return node
    await sleep(20)
  }
  throw new StartError(`The development chain (anvil) did not start.\n${lastLines(logPath, 8)}`)
}

async function isUp({ rpc }: AnvilNode): Promise<boolean> {
  try {
    return Number(await rpc<string>('eth_chainId')) === DEVELOPMENT_CHAIN_ID
  } catch {
    return false
  }
}

let calls = 0
async function call<Result>(port: number, method: string, params: unknown[] = []): Promise<Result> {
  const response = await fetch(`http://127.0.0.1:${port}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: ++calls, method, params }),
  })
  const reply = (await response.json()) as { result?: Result; error?: { message: string } }
  if (reply.error) throw new Error(`${method}: ${reply.error.message}`)
  return reply.result as Result
}

const ROOT = join(import.meta.dirname, '../../..')

// There is no native build for Linux arm64: the installer downloads the amd64 build, which runs under emulation.
function findAnvil(): { command: string; args: string[] } {
  const processor = process.arch === 'x64' ? 'amd64' : process.arch
  const emulated = join(ROOT, '.cache/anvil-amd64/package/bin/anvil')
  try {
    const resolve = createRequire(import.meta.url).resolve
    const folder = dirname(resolve(`@foundry-rs/anvil-${process.platform}-${processor}/package.json`))
    return { command: join(folder, 'bin', 'anvil'), args: [] }
  } catch {
    if (!existsSync(emulated))
      throw new StartError(
        `anvil is not installed for ${process.platform} ${process.arch}. Set RPC_URL to your own node.`,
      )
    return { command: 'qemu-x86_64-static', args: ['-L', '/usr/x86_64-linux-gnu', emulated] }
  }
}
