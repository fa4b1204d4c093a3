import { parseArgs } from 'node:util'
import { runCrashes } from './suite.ts'

/** npm run crashes -- --count 20 --seed 42 */
const READY_MS_MAX = 10_000
/** Enough for some passes of every loop, or for none. */
const ALIVE_MS_MAX = 12_000
const { values } = parseArgs({ options: { count: { type: 'string' }, seed: { type: 'string' } } })
const [count, seed] = [Number(values.count ?? 20), Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))]
if (!Number.isInteger(count) || count < 1 || !Number.isInteger(seed) || seed < 0) {
  console.error('Usage: npm run crashes -- --count <crashes> --seed <number>')
  process.exit(1)
}
const { line, wrong, slowestMs } = await runCrashes({ count, seed, aliveMsMax: ALIVE_MS_MAX, log: console.log })
for (const text of wrong) console.log(`  ${text}`)
console.log(line)
process.exit(wrong.length === 0 && slowestMs <= READY_MS_MAX ? 0 : 1)
