import { parseArgs } from 'node:util'
import { AppError } from '../../protocol/errors.ts'
import { parseUsdt, type Usdt } from '../../protocol/money.ts'
import type { OperatorAct } from '../../protocol/operators.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../platform/db.ts'

export type Write = (text: string) => void
/** What a command receives: `words` are its arguments without its own name, `flags` its options. */
export type Ops = { context: Context; words: string[]; flags: Flags; write: Write; operatorKey?: string | undefined }
export type Flags = Record<string, string | boolean | undefined>

/** `value` is the placeholder that the usage prints after a string option. */
export type Option = { about: string } & (
  | { type: 'boolean'; short?: string }
  | { type: 'string'; value: string; required?: true }
)
export type Options = Record<string, Option>

export type Command = {
  name: string
  /** The arguments after the name, such as `<id>`. */
  takes?: string
  options?: Options
  summary: string
  run(ops: Ops): Promise<number | undefined>
}

/** An act that operators sign (R30). Its name is listed in the table operator_act_kinds. */
export type ActCommand = Omit<Command, 'run'> & {
  /** Reads the arguments and checks that the act is possible now. Returns what is signed besides name and reason. */
  prepare(ops: Ops): Promise<Record<string, string>>
  /** Runs in the transaction of the last signature needed. Returns what to print. `who` names all who signed. */
  perform(tx: Tx, performed: { context: Context; act: OperatorAct; who: string }): Promise<string>
  /** For what is always safe and must not wait: runs before anything is stored or signed. Returns what to print. */
  first?(ops: Ops, why: string): Promise<string>
}

/** A command on the data folder itself: it has no context, so it works without a running instance. */
export type AloneCommand = Omit<Command, 'run'> & {
  runAlone(ops: Omit<Ops, 'context'> & { dataDir: string }): Promise<number>
}

export type AnyCommand = Command | ActCommand | AloneCommand

export const ALL: Options = { all: { type: 'boolean', about: 'also lists settled ones' } }
export const AS: Options = {
  as: { type: 'string', value: 'NAME', required: true, about: 'your name, for the audit log' },
}
/** Where the operator's key is. Without one, the command prints what to sign elsewhere. */
export const KEY: Options = {
  as: { type: 'string', value: 'NAME', about: 'checks that the key belongs to this operator' },
  'key-file': { type: 'string', value: 'PATH', about: 'the file with your key; default: the variable OPERATOR_KEY' },
}
const ACT: Options = {
  why: { type: 'string', value: 'TEXT', required: true, about: 'the reason: it is signed, and goes to the audit log' },
  ...KEY,
}
export const HELP: Options = { help: { type: 'boolean', short: 'h', about: 'prints this help' } }

export const isAct = (command: AnyCommand): command is ActCommand => 'perform' in command

export const optionsOf = (command: AnyCommand): Options => ({
  ...command.options,
  ...(isAct(command) && ACT),
})

/** Splits arguments into words and options. Throws a one-sentence error for an option that is not allowed. */
export function parseArguments(args: readonly string[], options: Options): { words: string[]; flags: Flags } {
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      options: { ...options, ...HELP },
      allowPositionals: true,
    })
    return { words: positionals, flags: values }
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (!code.startsWith('ERR_PARSE_ARGS')) throw error
    // Keeps the first sentence. The others explain how to pass an argument that begins with a dash.
    throw wrong(`${message.split(/\.(?:\s|$)/)[0]}.`)
  }
}

/** Why the operator acts. */
export function reasonOf({ flags }: Pick<Ops, 'flags'>): string {
  const why = String(flags['why'] ?? '').trim()
  if (why.length < 3) throw wrong('Give a reason: --why "text for the audit log"')
  return why
}

export function operatorName({ flags }: Pick<Ops, 'flags'>): string {
  const name = String(flags['as'] ?? '')
  if (!/^[a-z][a-z0-9_-]{1,30}$/.test(name)) throw wrong('Say who you are: --as NAME (lowercase letters and digits)')
  return name
}

export const wrong = (text: string) => new AppError('invalid_input', text)

export function wordAt<Given extends Pick<Ops, 'words'>>({ words }: Given, at: number, what: string): string {
  const word = words[at]
  if (word === undefined) throw wrong(`${what} is missing`)
  return word
}

export const amountAt = (ops: Ops, at: number): Usdt => parseUsdt(wordAt(ops, at, 'The amount'))

/** Formats rows as a table with aligned columns. */
export function table(headers: string[], rows: string[][]): string {
  const widths = headers.map((header, at) => Math.max(header.length, ...rows.map((row) => (row[at] ?? '').length)))
  const line = (cells: string[]) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd()
  return [line(headers), line(widths.map((width) => '─'.repeat(width))), ...rows.map(line)].join('\n')
}
