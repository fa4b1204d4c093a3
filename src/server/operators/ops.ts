import { brand } from '../../protocol/brand.ts'
import { AppError } from '../../protocol/errors.ts'
import { createContext } from '../context.ts'
import type { Config } from '../platform/config.ts'
import { moneyCommands } from './approvals.ts'
import { auditCommand } from './audit-command.ts'
import { backupCommand, restoreCommand } from './backup-commands.ts'
import { type AloneCommand, type Command, parseArguments, type Write } from './command.ts'
import { holdCommands } from './hold-commands.ts'
import { allInvariants } from './invariants.ts'
import { stateCommands } from './state-commands.ts'
import { supportCommands } from './support-commands.ts'
import { userCommands } from './user-commands.ts'
import { withdrawalCommands } from './withdrawal-commands.ts'

const audit: Command = {
  name: 'audit',
  takes: '[--json]',
  summary: 'checks the books; exits with 1 when they are broken',
  run: ({ context, flags, write }) =>
    auditCommand(context.db, allInvariants(context.chain), flags['json'] === true, write),
}

const commands: (Command | AloneCommand)[] = [
  audit,
  ...stateCommands,
  ...moneyCommands,
  ...withdrawalCommands,
  ...userCommands,
  ...holdCommands,
  ...supportCommands,
  backupCommand,
  restoreCommand,
]

/** Runs one command of the operator and returns the exit code. */
export async function runOps(
  args: string[],
  settings: () => Config,
  write: Write = console.log,
  dataDir = '.data',
): Promise<number> {
  const { words, flags } = parseArguments(args)
  const command = findCommand(words)
  if (!command) {
    write(words.length > 0 ? `There is no command "${words.join(' ')}".\n\n${help()}` : help())
    return words.length > 0 ? 1 : 0
  }
  const own = words.slice(command.name.split(' ').length)
  const running = 'run' in command ? createContext(settings(), 'ops') : undefined
  try {
    if (!('run' in command)) return await command.runAlone({ words: own, flags, write, dataDir })
    if (!running) throw new Error('a command without its context')
    return (await command.run({ context: running.context, words: own, flags, write })) ?? 0
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    write(`${error.message}\n\n  ${usage(command)}`)
    return 1
  } finally {
    await running?.close()
  }
}

/** Two words name a command before one does: `users freeze`, `withdrawals`. */
const findCommand = (words: string[]): Command | AloneCommand | undefined =>
  [2, 1]
    .map((count) => commands.find(({ name }) => words.length >= count && name === words.slice(0, count).join(' ')))
    .find((command) => command !== undefined)

const isAct = (command: Command | AloneCommand): boolean => 'run' in command && command.acts === true

const usage = (command: Command | AloneCommand): string =>
  ['npm run ops --', command.name, command.takes, isAct(command) && '--as NAME --why TEXT'].filter(Boolean).join(' ')

function help(): string {
  const lines = commands.map((command) => {
    const call = [command.name, command.takes].filter(Boolean).join(' ')
    return `  ${`${call}${isAct(command) ? ' *' : ''}`.padEnd(46)} ${command.summary}`
  })
  return `${brand.name} operator's command line

  npm run ops -- <command>

${lines.join('\n')}

  * an act: add --as NAME --why TEXT. Every act is in the audit log with both.
    Above 1000 USDT a second operator must agree.`
}
