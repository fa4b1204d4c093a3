import { runOps } from '../operators/ops.ts'
import { type TestApi, testConfig } from './api.ts'

/** Runs an operator command on a test database and returns its exit code and output. */
export async function runTestOps(api: TestApi, args: string[]): Promise<{ code: number; text: string }> {
  const printed: string[] = []
  const readConfig = () => testConfig(api.database.appUrl)
  const code = await runOps(args, readConfig, (text) => printed.push(text))
  return { code, text: printed.join('\n') }
}
