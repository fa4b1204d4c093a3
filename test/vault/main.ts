import { parseArgs } from 'node:util'
import { compileVault } from './contracts.ts'
import { fuzz, report } from './fuzz.ts'

/** npm run fuzz:vault -- --calls 1000000 --seed 42 */
const { values } = parseArgs({ options: { calls: { type: 'string' }, seed: { type: 'string' } } })
const [calls, seed] = [Number(values.calls ?? 100_000), Number(values.seed ?? Math.floor(Math.random() * 2 ** 30))]
if (!Number.isInteger(calls) || calls < 1 || !Number.isInteger(seed) || seed < 0) {
  console.error('Usage: npm run fuzz:vault -- --calls <number> --seed <number>')
  process.exit(1)
}
const result = await fuzz(await compileVault(), { calls, seed })
if (result.broken) console.error(result.broken)
console.log(report(result))
process.exitCode = result.broken ? 1 : 0
