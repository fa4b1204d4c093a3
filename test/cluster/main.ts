import { parseArgs } from 'node:util'
import { describeMissing } from './programs.ts'

/**
 * npm run cluster                          the product on a cluster, until Ctrl-C
 * npm run cluster -- --kills 30 --seed 42  kills, freezes and cuts its parts while callers move money
 * npm run cluster -- --rolling 20          restarts its API processes under load
 */
const USAGE = 'Usage: npm run cluster [-- --kills <number> [--seed <number>] | --rolling <number>]'
const options = { kills: { type: 'string' }, seed: { type: 'string' }, rolling: { type: 'string' } } as const
const isCount = (value: number, least = 1) => Number.isInteger(value) && value >= least

async function main(): Promise<number> {
  const { values } = parseArgs({ options })
  const [kills, rolling] = [Number(values.kills ?? 1), Number(values.rolling ?? 1)]
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
  if (!isCount(kills) || !isCount(rolling) || !isCount(seed, 0) || (values.kills && values.rolling)) return fail(USAGE)
  const missing = describeMissing()
  if (missing) return fail(missing)
  if (values.kills || values.rolling) exitOnSignals()
  if (values.kills) {
    console.log(`seed=${seed}: the same seed repeats the same faults and calls in the same order`)
    return report(await (await import('./kills.ts')).runKills({ kills, seed, log: console.log }))
  }
  if (values.rolling) return report(await (await import('./rolling.ts')).runRolling(rolling, console.log))
  await (await import('./run.ts')).runCluster()
  return 0
}

/** Exit normally on a signal, so that the exit handlers stop all child processes. */
function exitOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
}

function fail(sentence: string): number {
  console.error(sentence)
  return 1
}

function report({ wrong, line }: { wrong: string[]; line: string }): number {
  for (const text of wrong.slice(0, 50)) console.log(`  ${text}`)
  console.log(line)
  return wrong.length === 0 ? 0 : 1
}

process.exit(await main())
