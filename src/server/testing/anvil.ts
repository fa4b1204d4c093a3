import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startAnvilNode } from '../embedded/anvil-node.ts'

export type TestChain = {
  rpcUrl: string
  rpc: <Result>(method: string, params?: unknown[]) => Promise<Result>
  /** Mines empty blocks; a block is finalized two blocks later. */
  mine: (blocks?: number) => Promise<void>
  stop: () => Promise<void>
}

/** A real chain of its own, empty, where every transaction is mined at once. */
export async function startTestChain(): Promise<TestChain> {
  const folder = mkdtempSync(join(tmpdir(), 'wellplay-chain-'))
  const { port, rpc, child } = await startAnvilNode({ logPath: join(folder, 'anvil.log'), automine: true })
  return {
    rpcUrl: `http://127.0.0.1:${port}`,
    rpc,
    async mine(blocks = 1) {
      await rpc('anvil_mine', [`0x${blocks.toString(16)}`])
    },
    async stop() {
      await child.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
