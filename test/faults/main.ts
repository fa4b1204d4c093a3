import { parseArgs } from 'node:util'
import { runFaults } from './suite.ts'

/** npm run faults -- --count 1000 --seed 42 */
const { values } = parseArgs({ options: { count: { type: 'string' }, seed: { type: 'string' } } })
const [count, seed] = [Number(values.count ?? 1_000), Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))]
if (!Number.isInteger(count) || count < 1 || !Number.isInteger(seed) || seed < 0) {
  console.error('Usage: npm run faults -- --count <faults> --seed <number>')
  process.exit(1)
}
// Exit normally on a signal, so that the exit handlers stop all child processes.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
const { line, isClean } = await runFaults({ count, seed, log: console.log })
console.log(line)
process.exit(isClean ? 0 : 1)
