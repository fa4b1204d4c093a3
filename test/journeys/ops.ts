import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Runs an operator command against the instance under test, with the key that its first start made for anna. */
export async function ops(...args: string[]): Promise<string> {
  const dataDir = process.env['JOURNEY_DATA'] ?? ''
  const key = readFileSync(join(dataDir, 'operators', 'anna.key'), 'utf8')
  const env = { ...process.env, DATA_DIR: dataDir, OPERATOR_KEY: key }
  return (await run('node_modules/.bin/node', ['src/server/main.ts', 'ops', ...args], { env })).stdout
}
