import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'

const FOLDER = join(import.meta.dirname, '../../../contracts')
const CACHE = join(import.meta.dirname, '../../../.cache')
const OUTPUT_BYTES_MAX = 50_000_000

export type Compiled = Record<string, `0x${string}`>

/** The creation code of all contracts in contracts/. Compiled once per change, in a separate process: solc is heavy. */
export async function compileContracts(): Promise<Compiled> {
  const sources = readSources()
  const hash = createHash('sha256').update(JSON.stringify(sources)).digest('hex').slice(0, 16)
  const cached = join(CACHE, `contracts-${hash}.json`)
  if (!existsSync(cached)) {
    const { stdout } = await promisify(execFile)(process.execPath, [import.meta.filename], {
      maxBuffer: OUTPUT_BYTES_MAX,
    })
    mkdirSync(CACHE, { recursive: true })
    writeFileSync(`${cached}.${process.pid}`, stdout)
    renameSync(`${cached}.${process.pid}`, cached)
  }
  return JSON.parse(readFileSync(cached, 'utf8'))
}

function readSources(): Record<string, { content: string }> {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.sol'))
  return Object.fromEntries(names.map((name) => [name, { content: readFileSync(join(FOLDER, name), 'utf8') }]))
}

type SolcOutput = {
  errors?: { severity: string; formattedMessage: string }[]
  contracts: Record<string, Record<string, { evm: { bytecode: { object: string } } }>>
}

function compile(sources: object): Compiled {
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string }
  const settings = {
    optimizer: { enabled: true, runs: 200 },
    evmVersion: 'paris',
    outputSelection: { '*': { '*': ['evm.bytecode.object'] } },
  }
  const output: SolcOutput = JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', sources, settings })))
  const failed = output.errors?.find(({ severity }) => severity === 'error')
  if (failed) throw new Error(failed.formattedMessage)
  const contracts = Object.values(output.contracts).flatMap((file) => Object.entries(file))
  return Object.fromEntries(contracts.map(([name, { evm }]) => [name, `0x${evm.bytecode.object}` as const]))
}

if (process.argv[1] === import.meta.filename) process.stdout.write(JSON.stringify(compile(readSources())))
