import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The operator's command line against the instance of this run. */
export async function ops(...args: string[]): Promise<string> {
  const env = { ...process.env, DATA_DIR: process.env['JOURNEY_DATA'] ?? '' }
  return (await run('node_modules/.bin/node', ['src/server/main.ts', 'ops', ...args], { env })).stdout
}
