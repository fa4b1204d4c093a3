import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../platform/start-error.ts'
import { type Child, lastLines, startChild, withLogFile } from './child.ts'
import { freePort } from './postgres.ts'

/** One chain id for every development chain: what wallets know as a local chain. */
export const DEVELOPMENT_CHAIN_ID = 31_337

export type AnvilNode = {
  port: number
  child: Child
  rpc: <Result>(method: string, params?: unknown[]) => Promise<Result>
}

type NodeOptions = { statePath?: string | undefined; logPath: string; automine?: boolean }

/** A bare anvil on a port of its own, mining only when told, or at once on every transaction. */
export async function startAnvilNode({ statePath, logPath, automine = false }: NodeOptions): Promise<AnvilNode> {
  const { command, args } = findAnvil()
  const port = await freePort()
  const flags = [
    ['--port', String(port), '--host', '127.0.0.1', '--chain-id', String(DEVELOPMENT_CHAIN_ID), '--quiet'],
    ['--balance', '1000000000', '--slots-in-an-epoch', '1'],
    // Later hardforks keep each block's hash in the state, and every kept state is a whole copy: memory and time then
    // grow with the square of the chain's length. Fifty states are enough to ask at the finalized block.
    ['--hardfork', 'cancun', '--prune-history', '50'],
    automine ? [] : ['--no-mining'],
    statePath ? ['--load-state', statePath] : [],
  ].flat()
  // anvil is slow to heed other signals, and holds nothing that is not on our disk.
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

// On Linux arm64 no native build is published: the installer then fetches the amd64 one, which runs under emulation.
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
        `No anvil is installed for ${process.platform} ${process.arch}: set RPC_URL to a node of your own.`,
      )
    return { command: 'qemu-x86_64-static', args: ['-L', '/usr/x86_64-linux-gnu', emulated] }
  }
}
