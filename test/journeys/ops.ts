import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Runs an operator command against the instance under test. */
export async function ops(...args: string[]): Promise<string> {
  const env = { ...process.env, DATA_DIR: process.env['JOURNEY_DATA'] ?? '' }
  return (await run('node_modules/.bin/node', ['src/server/main.ts', 'ops', ...args], { env })).stdout
}
