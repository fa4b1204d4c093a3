import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { json, text } from 'node:stream/consumers'

const ROOT = join(import.meta.dirname, '../../..')
const CACHE = join(ROOT, '.cache')
/** Without the optimizer the code is only for tests, so it needs no hash of its sources either. */
const settingsFor = (isOptimized: boolean) => ({
  optimizer: { enabled: isOptimized, runs: 200 },
  evmVersion: 'paris',
  ...(!isOptimized && { metadata: { appendCBOR: false, bytecodeHash: 'none' } }),
})

export type Sources = Record<string, { content: string }>
export type Compiled = Record<string, `0x${string}`>

/** The creation code of the development chain's contracts. */
export async function compileContracts(): Promise<Compiled> {
  const [compiled = {}] = await compileEach([readContracts('TestPair.sol', 'TestToken.sol')])
  return compiled
}

/** The text of these files in contracts/. */
export const readContracts = (...names: string[]): Sources =>
  Object.fromEntries(names.map((name) => [name, { content: readFileSync(join(ROOT, 'contracts', name), 'utf8') }]))

/**
 * The creation code of the contracts in each of these sets of sources. Each set is compiled once per change, in a
 * separate process: solc is heavy. Without the optimizer it is four times as fast.
 */
export async function compileEach(sets: Sources[], isOptimized = true): Promise<Compiled[]> {
  const cacheFile = (sources: Sources) => cacheFileOf({ sources, isOptimized })
  const missing = sets.filter((sources) => !existsSync(cacheFile(sources)))
  if (missing.length > 0) {
    const compiled = await compileApart(missing.map((sources) => ({ sources, isOptimized })))
    mkdirSync(CACHE, { recursive: true })
    for (const [at, sources] of missing.entries()) {
      const file = cacheFile(sources)
      writeFileSync(`${file}.${process.pid}`, JSON.stringify(compiled[at]))
      renameSync(`${file}.${process.pid}`, file)
    }
  }
  return sets.map((sources) => JSON.parse(readFileSync(cacheFile(sources), 'utf8')))
}

type Job = { sources: Sources; isOptimized: boolean }

function cacheFileOf({ sources, isOptimized }: Job): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([settingsFor(isOptimized), sources]))
    .digest('hex')
    .slice(0, 16)
  return join(CACHE, `contracts-${hash}.json`)
}

async function compileApart(jobs: Job[]): Promise<Compiled[]> {
  const compiler = spawn(process.execPath, [import.meta.filename], { stdio: ['pipe', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve, reject) => compiler.once('close', resolve).once('error', reject))
  compiler.stdin.end(JSON.stringify(jobs))
  const [code, output, errors] = await Promise.all([ended, text(compiler.stdout), text(compiler.stderr)])
  if (code !== 0) throw new Error(errors)
  return JSON.parse(output)
}

type SolcOutput = {
  errors?: { severity: string; formattedMessage: string }[]
  contracts: Record<string, Record<string, { evm: { bytecode: { object: string } } }>>
}
type Solc = { compile(input: string, callbacks: { import(path: string): { contents: string } }): string }

function compile({ sources, isOptimized }: Job): Compiled {
  const solc = createRequire(import.meta.url)('solc') as Solc
  // Only these files: the packages they import take a third of the time.
  const outputSelection = Object.fromEntries(
    Object.keys(sources).map((name) => [name, { '*': ['evm.bytecode.object'] }]),
  )
  const settings = { ...settingsFor(isOptimized), outputSelection }
  const input = JSON.stringify({ language: 'Solidity', sources, settings })
  const output: SolcOutput = JSON.parse(solc.compile(input, { import: readPackage }))
  const failed = output.errors?.find(({ severity }) => severity === 'error')
  if (failed) throw new Error(failed.formattedMessage)
  const contracts = Object.values(output.contracts).flatMap((file) => Object.entries(file))
  return Object.fromEntries(contracts.map(([name, { evm }]) => [name, `0x${evm.bytecode.object}` as const]))
}

/** A source imports other packages by their path in node_modules. */
const readPackage = (path: string) => ({ contents: readFileSync(join(ROOT, 'node_modules', path), 'utf8') })

if (process.argv[1] === import.meta.filename)
  process.stdout.write(JSON.stringify(((await json(process.stdin)) as Job[]).map(compile)))
