import { parseArgs } from 'node:util'
import { brand } from '../../protocol/brand.ts'
import { AppError } from '../../protocol/errors.ts'
import { createContext } from '../context.ts'
import type { Config } from '../platform/config.ts'
import { archiveCommand } from './archive-command.ts'
import { auditCommand } from './audit-command.ts'
import { backupCommand, backupKeyCommand, restoreCommand } from './backup-commands.ts'
import {
  type AnyCommand,
  type Command,
  HELP,
  isAct,
  type Option,
  type Options,
  optionsOf,
  parseArguments,
  type Write,
} from './command.ts'
import { haltCommands } from './halt-commands.ts'
import { holdCommands } from './hold-commands.ts'
import { allInvariants } from './invariants.ts'
import { newKeyCommand } from './keys.ts'
import { moneyCommands } from './money-commands.ts'
import { operatorCommands } from './operator-commands.ts'
import { paymentCommands } from './payment-commands.ts'
import { runAct, signCommands } from './sign-commands.ts'
import { checkCommand } from './start-check.ts'
import { stateCommands } from './state-commands.ts'
import { supportCommands } from './support-commands.ts'
import { termsCommands } from './terms-commands.ts'
import { treasuryCommands } from './treasury-commands.ts'
import { userCommands } from './user-commands.ts'
import { vaultCallCommand } from './vault-call-command.ts'
import { deployVaultCommand } from './vault-commands.ts'
import { keysCommand } from './vault-key-commands.ts'
import { withdrawalCommands } from './withdrawal-commands.ts'

const audit: Command = {
  name: 'audit',
  options: {
    full: { type: 'boolean', about: 'reads all of history now, not only what is new and a slice of the rest' },
    json: { type: 'boolean', about: 'the report as JSON' },
  },
  summary: 'checks all invariants; exits with 1 if one is broken, with 2 if one could not be checked',
  run: ({ context, flags, write }) =>
    auditCommand(
      context.db,
      allInvariants(context.chain),
      { isFull: flags['full'] === true, asJson: flags['json'] === true },
      write,
    ),
}

const features: AnyCommand[] = [
  audit,
  archiveCommand,
  ...stateCommands,
  keysCommand,
  vaultCallCommand,
  ...termsCommands,
  ...haltCommands,
  ...moneyCommands,
  ...treasuryCommands,
  ...paymentCommands,
  ...withdrawalCommands,
  ...userCommands,
  ...holdCommands,
  ...supportCommands,
  ...operatorCommands,
]

const commands: AnyCommand[] = [
  ...features,
  ...signCommands(features.filter(isAct)),
  checkCommand,
  deployVaultCommand,
  newKeyCommand,
  backupCommand,
  backupKeyCommand,
  restoreCommand,
]

/** `operatorKey` signs acts, unless a command names a key file. */
type Surroundings = { settings: () => Config; write?: Write; dataDir?: string; operatorKey?: string | undefined }

/** Runs one operator command and returns the exit code. */
export async function runOps(args: string[], surroundings: Surroundings): Promise<number> {
  const { write = console.log } = surroundings
  const named = wordsOf(args)
  const command = findCommand(named)
  try {
    if (command) return await runCommand(command, args, { dataDir: '.data', write, ...surroundings })
    parseArguments(args, {})
    write(named.length > 0 ? `There is no command "${named.join(' ')}".\n\n${help()}` : help())
    return named.length > 0 ? 1 : 0
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    write(`${error.message}\n\n  ${command ? usage(command) : 'npm run ops -- <command>'}`)
    return 1
  }
}

async function runCommand(
  command: AnyCommand,
  args: string[],
  { settings, write, dataDir, operatorKey }: Surroundings & { write: Write; dataDir: string },
): Promise<number> {
  const { words, flags } = parseArguments(args, optionsOf(command))
  if (flags['help']) {
    write(commandHelp(command))
    return 0
  }
  const given = { words: words.slice(command.name.split(' ').length), flags, write, operatorKey }
  if ('runAlone' in command) return command.runAlone({ ...given, dataDir })
  const { context, close } = createContext(settings(), 'ops')
  try {
    const ops = { ...given, context }
    return (await (isAct(command) ? runAct(command, ops) : command.run(ops))) ?? 0
  } finally {
    await close()
  }
}

/** The arguments that are not options. Uses the options of all commands, because the command is not known yet. */
function wordsOf(args: string[]): string[] {
  const options = Object.assign({}, ...commands.map(optionsOf)) as Options
  return parseArgs({ args, options, allowPositionals: true, strict: false }).positionals
}

/** Names of two words are tried first: `users freeze` before `users`. */
const findCommand = (words: string[]): AnyCommand | undefined =>
  [2, 1]
    .map((count) => commands.find(({ name }) => words.length >= count && name === words.slice(0, count).join(' ')))
    .find((command) => command !== undefined)

const textOf = (name: string, option: Option): string =>
  option.type === 'string' ? `--${name} ${option.value}` : `--${name}`

/** The command as it is typed, with the given options. */
function callOf({ name, takes }: AnyCommand, options: Options = {}): string {
  const texts = Object.entries(options).map(([option, details]) => {
    const isRequired = details.type === 'string' && details.required
    return isRequired ? textOf(option, details) : `[${textOf(option, details)}]`
  })
  return [name, takes, ...texts].filter(Boolean).join(' ')
}

const usage = (command: AnyCommand): string => `npm run ops -- ${callOf(command, optionsOf(command))}`

function commandHelp(command: AnyCommand): string {
  const lines = Object.entries({ ...optionsOf(command), ...HELP }).map(
    ([name, option]) => `  ${textOf(name, option).padEnd(26)} ${option.about}`,
  )
  return `${usage(command)}\n\n  ${command.summary}\n\n${lines.join('\n')}`
}

function help(): string {
  const lines = commands.map((command) => {
    const call = callOf(command, command.options)
    return `  ${`${call}${isAct(command) ? ' *' : ''}`.padEnd(52)} ${command.summary}`
  })
  return `${brand.name} operator's command line

  npm run ops -- <command>
  npm run ops -- <command> --help

${lines.join('\n')}

  * an act: add --why TEXT, and sign it with your key (--key-file PATH, or the variable OPERATOR_KEY).
    Some acts need two operators. README.md lists how many must sign.`
}
