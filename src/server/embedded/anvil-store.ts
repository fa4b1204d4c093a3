import {
  closeSync,
  existsSync,
  fdatasyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'

/** A block as returned by the node. We store its header. */
export type RpcBlock = Record<(typeof HEADER)[number] | 'hash', string> & { transactions: string[] }

type StoredBlock = { header: Record<string, string>; transactions: unknown[]; ommers: unknown[]; withdrawals: null }
type State = {
  block: Record<string, unknown>
  best_block_number: number
  blocks: StoredBlock[]
  [other: string]: unknown
}

const HEADER = [
  ...['parentHash', 'sha3Uncles', 'miner', 'stateRoot', 'transactionsRoot', 'receiptsRoot', 'logsBloom'],
  ...['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'extraData', 'mixHash', 'nonce'],
  ...['baseFeePerGas', 'withdrawalsRoot', 'blobGasUsed', 'excessBlobGas', 'parentBeaconBlockRoot'],
] as const

/** Only this many recent empty blocks are kept when the chain is loaded. Blocks with transactions always stay. */
const EMPTY_BLOCKS_KEPT = 3_600

export type ChainStore = ReturnType<typeof openChainStore>

/**
 * The chain on disk: a full snapshot, taken after each block with transactions, and a journal of the empty blocks since
 * then. Both are on disk before the next block is mined, so a final block is never lost.
 */
export function openChainStore(folder: string, log: (line: string) => void) {
  mkdirSync(folder, { recursive: true })
  const [snapshotPath, olderPath, journalPath, statePath] = [
    'snapshot.json',
    'snapshot.old.json',
    'blocks.jsonl',
    'state.json',
  ].map((name) => join(folder, name)) as [string, string, string, string]

  return {
    logPath: join(folder, 'anvil.log'),
    /** Writes the state to load at the next start and returns its path; undefined for a new chain. */
    compose(): string | undefined {
      const state = readState(snapshotPath) ?? readState(olderPath)
      if (!state && existsSync(snapshotPath)) log('The stored development chain could not be read. Starting a new one.')
      if (!state) return undefined
      const head = applyJournal(state, readJournal(journalPath))
      forgetOldBlocks(state)
      writeFileSync(statePath, JSON.stringify(state))
      return head ? statePath : undefined
    },
    /** Replaces the snapshot; `tip` is its newest block. */
    saveSnapshot(state: string, tip: RpcBlock): void {
      if (existsSync(snapshotPath)) renameSync(snapshotPath, olderPath)
      replaceFile(snapshotPath, state)
      replaceFile(journalPath, `${JSON.stringify(tip)}\n`)
    },
    append(block: RpcBlock): void {
      const descriptor = openSync(journalPath, 'a')
      writeSync(descriptor, `${JSON.stringify(block)}\n`)
      fdatasyncSync(descriptor)
      closeSync(descriptor)
    },
  }
}

function replaceFile(path: string, text: string): void {
  writeFileSync(`${path}.new`, text, { flush: true })
  renameSync(`${path}.new`, path)
}

function readState(path: string): State | undefined {
  try {
    const state = JSON.parse(readFileSync(path, 'utf8')) as State
    return Array.isArray(state.blocks) && Number.isSafeInteger(state.best_block_number) ? state : undefined
  } catch {
    return undefined
  }
}

/** The complete lines of the journal. A half-written last line, left by a crash, is skipped. */
function readJournal(path: string): RpcBlock[] {
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}

// An empty block changes no account, so its header alone continues the chain.
function applyJournal(state: State, journal: RpcBlock[]): number {
  let parent: RpcBlock | undefined
  for (const block of journal) {
    const isLinked = parent?.hash === block.parentHash && Number(block.number) === state.best_block_number + 1
    const isNext = isLinked && block.transactions.length === 0
    parent = block
    if (!isNext) continue
    const header = Object.fromEntries(HEADER.map((name) => [name, block[name]]))
    state.blocks.push({ header, transactions: [], ommers: [], withdrawals: null })
    state.best_block_number = Number(block.number)
    const { number, timestamp, mixHash, baseFeePerGas } = block
    Object.assign(state.block, { number, timestamp, prevrandao: mixHash, basefee: Number(baseFeePerGas) })
  }
  return state.best_block_number
}

function forgetOldBlocks(state: State): void {
  const oldest = state.best_block_number - EMPTY_BLOCKS_KEPT
  state.blocks = state.blocks.filter(({ header, transactions }) => {
    const number = Number(header['number'])
    return number === 0 || number > oldest || transactions.length > 0
  })
}
