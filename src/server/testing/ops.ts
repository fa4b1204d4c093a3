import { runOps } from '../operators/ops.ts'
import { type TestApi, testConfig } from './api.ts'

/** Runs an operator's command on the database of a test; returns its exit code and what it printed. */
export async function runTestOps(api: TestApi, args: string[]): Promise<{ code: number; text: string }> {
  const printed: string[] = []
  const readConfig = () => testConfig(api.database.appUrl)
  const code = await runOps(args, readConfig, (text) => printed.push(text))
  return { code, text: printed.join('\n') }
}
