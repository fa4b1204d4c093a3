import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { startGate } from './anvil-gate.ts'
import { type AnvilNode, startAnvilNode } from './anvil-node.ts'
import { type ChainStore, openChainStore, type RpcBlock } from './anvil-store.ts'

export type DevelopmentNode = {
  rpcUrl: string
  /** A node that has not stopped after `timeoutMs` is killed. */
  stop: (timeoutMs?: number) => Promise<void>
}

export type AnvilOptions = {
  dataDir: string
  blockTimeSeconds?: number
  /** A fixed port; otherwise one from the operating system. */
  port?: number
  /** Snapshots get slower with every block in memory, so the node is replaced after this many. */
  blocksPerNode?: number
  log?: (line: string) => void
}

const FAILURES_MAX = 10
const STOP_MS = 20_000

/**
 * A local EVM chain that survives every crash. We decide when to mine: each block is on disk before the next is mined,
 * and a block is final two blocks later, so every block that was final is still there after kill −9.
 */
export async function startAnvil(options: AnvilOptions): Promise<DevelopmentNode> {
  const { dataDir, blockTimeSeconds = 1, port = 0, blocksPerNode = 2_000, log = () => {} } = options
  const store = openChainStore(dataDir, log)
  const gate = await startGate(port)
  let miner = await begin(store).catch(async (error: unknown) => {
    await gate.close()
    throw error
  })
  gate.open(miner.node.port)
  const stopping = new AbortController()

  async function step(): Promise<void> {
    if (!miner.node.child.running()) {
      log('The development chain stopped unexpectedly. Restarting it.')
      await gate.hold()
      miner = await begin(store)
      gate.open(miner.node.port)
    }
    await mine(miner, store)
    if (miner.mined >= blocksPerNode) await renew()
  }

  /** Replaces the node with a new one, loaded from disk. The old one answers until the new one is ready. */
  async function renew(): Promise<void> {
    const old = miner.node
    const next = await load(store)
    await gate.hold()
    // Pending transactions exist only in the old node's memory: then keep it and try again later.
    const canReplace = await hasNoPending(old)
    if (canReplace) miner = await adopt(next, store)
    else miner.mined = Math.floor(blocksPerNode * 0.9)
    gate.open(miner.node.port)
    await (canReplace ? old : next.node).child.stop()
  }

  async function run(): Promise<void> {
    let failures = 0
    while (!stopping.signal.aborted) {
      await sleep(blockTimeSeconds * 1000 - (Date.now() % (blockTimeSeconds * 1000)), undefined, stopping).catch(
        () => {},
      )
      if (stopping.signal.aborted) return
      try {
        await step()
        failures = 0
      } catch (error) {
        if (stopping.signal.aborted) return
        if (++failures === FAILURES_MAX) await miner.node.child.stop(0)
        if (failures % FAILURES_MAX === 1) log(`The development chain failed: ${(error as Error).message}`)
      }
    }
  }

  const running = run()
  return {
    rpcUrl: gate.url,
    async stop(timeoutMs = STOP_MS) {
      stopping.abort()
      // A step that waits for a frozen node fails when the node is killed.
      const timer = setTimeout(() => miner.node.child.stop(0), timeoutMs)
      await running
      await gate.close()
      await miner.node.child.stop(timeoutMs)
      clearTimeout(timer)
    },
  }
}

type Miner = { node: AnvilNode; tip: RpcBlock; mined: number }

const begin = async (store: ChainStore): Promise<Miner> => adopt(await load(store), store)

type Loaded = { node: AnvilNode; isContinued: boolean }

async function load(store: ChainStore): Promise<Loaded> {
  const statePath = store.compose()
  const node = await startAnvilNode({ statePath, logPath: store.logPath })
  return { node, isContinued: statePath !== undefined }
}

async function adopt({ node, isContinued }: Loaded, store: ChainStore): Promise<Miner> {
  const miner: Miner = { node, tip: await readTip(node), mined: 0 }
  await save(miner, store)
  // The node has account state only for blocks it mined itself. After two more, the finalized block is one of them.
  if (isContinued) for (let count = 0; count < 2; count++) await mine(miner, store)
  return miner
}

const readTip = ({ rpc }: AnvilNode): Promise<RpcBlock> => rpc('eth_getBlockByNumber', ['latest', false])

async function mine(miner: Miner, store: ChainStore): Promise<void> {
  const before = miner.tip
  const timestamp = Math.max(Number(before.timestamp) + 1, Math.floor(Date.now() / 1000))
  await miner.node.rpc('evm_mine', [timestamp])
  miner.tip = await readTip(miner.node)
  miner.mined++
  const isEmpty = miner.tip.parentHash === before.hash && miner.tip.transactions.length === 0
  if (isEmpty) store.append(miner.tip)
  else await save(miner, store)
}

async function save(miner: Miner, store: ChainStore): Promise<void> {
  const dump = await miner.node.rpc<string>('anvil_dumpState', [false])
  store.saveSnapshot(gunzipSync(Buffer.from(dump.slice(2), 'hex')).toString('utf8'), miner.tip)
}

async function hasNoPending({ rpc }: AnvilNode): Promise<boolean> {
  const { pending } = await rpc<{ pending: string }>('txpool_status')
  return Number(pending) === 0
}
