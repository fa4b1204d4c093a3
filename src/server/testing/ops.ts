import { runOps } from '../operators/ops.ts'
import type { TestApi } from './api.ts'

/** Runs an operator command on a test database and returns its exit code and output. */
export async function runTestOps(
  { context }: Pick<TestApi, 'context'>,
  args: string[],
): Promise<{ code: number; text: string }> {
  const printed: string[] = []
  const code = await runOps(
    args,
    () => context.config,
    (text) => printed.push(text),
  )
  return { code, text: printed.join('\n') }
}
