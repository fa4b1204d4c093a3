import { addressOfKey, type OperatorKey } from '../chain/operator-keys.ts'
import type { Context } from '../context.ts'
import { newAct, performAct } from '../operators/acts.ts'
import { isAct } from '../operators/command.ts'
import { enroll } from '../operators/operator-commands.ts'
import { runOps } from '../operators/ops.ts'
import { withdrawalCommands } from '../operators/withdrawal-commands.ts'
import type { TestApi } from './api.ts'

type Ours = Pick<TestApi, 'context' | 'database'>

const testKey = (digit: string) => `0x${digit.repeat(64)}` as OperatorKey

/** The operators of test databases. */
export const testOperators = {
  anna: testKey('1'),
  ben: testKey('2'),
  cleo: testKey('3'),
} as const
type TestOperator = keyof typeof testOperators

/** Enrolls anna, ben and cleo, unless the database has operators already. */
export async function enrollTestOperators(context: Context): Promise<void> {
  if (await context.db.selectFrom('operators').select('name').executeTakeFirst()) return
  const { anna, ben, cleo } = testOperators
  for (const [name, key, signers] of [
    ['anna', anna, [anna]],
    ['ben', ben, [anna]],
    ['cleo', cleo, [anna, ben]],
  ] as const)
    await performAct(
      context,
      enroll,
      newAct('operators enroll', 'test setup', { name, address: addressOfKey(key) }),
      signers,
    )
}

/** Runs an operator command on a test database. `--as` chooses the operator, who signs with their own key. */
export async function runTestOps(api: Ours, args: string[]): Promise<{ code: number; text: string }> {
  await enrollTestOperators(api.context)
  return runOpsWithKey(api, args, testOperators[args[args.indexOf('--as') + 1] as TestOperator])
}

/** Runs an operator command with this key and the operator's login, and returns its exit code and output. */
export async function runOpsWithKey(
  { context, database }: Ours,
  args: string[],
  operatorKey?: string,
): Promise<{ code: number; text: string }> {
  const printed: string[] = []
  const settings = () => ({ ...context.config, databaseUrl: database.urls.operator })
  const code = await runOps(args, { settings, write: (text) => printed.push(text), operatorKey })
  return { code, text: printed.join('\n') }
}

/** Runs an act that needs two operators: anna proposes it, ben signs it, too. */
export async function runTestOpsTogether(api: Ours, args: string[]): Promise<{ code: number; text: string }> {
  const proposed = await runTestOps(api, [...args, '--as', 'anna'])
  return runTestOps(api, ['approve', waitingId(proposed.text), '--as', 'ben'])
}

/** The id of the act in a text such as "npm run ops -- approve ID". */
export const waitingId = (text: string): string => /ops -- (?:approve|sign) (\S+)/.exec(text)?.[1] ?? ''

/** Decides a waiting withdrawal of at most the amount that one operator may approve. Cheaper than the command line. */
export async function decideWithdrawal(api: TestApi, id: string, decision: 'approve' | 'reject'): Promise<void> {
  const command = withdrawalCommands.filter(isAct).find(({ name }) => name === `withdrawals ${decision}`)
  if (!command) throw new Error(`there is no command to ${decision}`)
  const args = await command.prepare({ context: api.context, words: [id], flags: {}, write: () => {} })
  await performAct(api.context, command, newAct(command.name, 'test setup', args), [testOperators.anna])
}

/** Freezes or unfreezes a user as operators do. */
export const freezeUser = (api: TestApi, userNumber: number) =>
  runTestOps(api, ['users', 'freeze', String(userNumber), '--as', 'anna', '--why', 'test setup'])
export const unfreezeUser = (api: TestApi, userNumber: number) =>
  runTestOpsTogether(api, ['users', 'unfreeze', String(userNumber), '--why', 'test setup'])

/** Lifts the operator's halt. */
export const resumePayouts = (api: TestApi) => runTestOpsTogether(api, ['resume', '--why', 'test setup'])
