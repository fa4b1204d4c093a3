import { AppError } from '../../protocol/errors.ts'
import { parseUsdt, type Usdt } from '../../protocol/money.ts'
import type { Context } from '../context.ts'

export type Write = (text: string) => void
/** What a command works with: its words without the command's own, and its flags. */
export type Ops = { context: Context; words: string[]; flags: Flags; write: Write }
export type Flags = Record<string, string | true>
export type Command = {
  name: string
  /** What follows the name, such as `<id>`. */
  takes?: string
  summary: string
  /** Acts need a name and a reason, which go to the audit log. */
  acts?: true
  run(ops: Ops): Promise<number | undefined>
}

/** A command for when nothing runs: it has no context, only the folder of the data. */
export type AloneCommand = Pick<Command, 'name' | 'takes' | 'summary'> & {
  runAlone(ops: Omit<Ops, 'context'> & { dataDir: string }): Promise<number>
}

/** Flags with a value; all others stand alone. */
const VALUED = new Set(['as', 'why', 'state', 'to'])

export function parseArguments(args: readonly string[]): { words: string[]; flags: Flags } {
  const words: string[] = []
  const flags: Flags = {}
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    const [, name, given] = /^--([a-z]+)(?:=(.*))?$/s.exec(arg) ?? []
    if (name === undefined) words.push(arg)
    else if (VALUED.has(name)) flags[name] = given ?? args[++at] ?? ''
    else flags[name] = true
  }
  return { words, flags }
}

export type Operator = { who: string; why: string }

/** Who acts and why. Without both nothing is done. */
export function operatorOf({ flags }: Pick<Ops, 'flags'>): Operator {
  const [who, why] = [String(flags['as'] ?? ''), String(flags['why'] ?? '').trim()]
  if (!/^[a-z][a-z0-9_-]{1,30}$/.test(who)) throw wrong('Say who you are: --as NAME (small letters and digits)')
  if (why.length < 3) throw wrong('Say why: --why "the reason, for the audit log"')
  return { who, why }
}

export const wrong = (text: string) => new AppError('invalid_input', text)

export function wordAt<Given extends Pick<Ops, 'words'>>({ words }: Given, at: number, what: string): string {
  const word = words[at]
  if (word === undefined) throw wrong(`${what} is missing`)
  return word
}

export const amountAt = (ops: Ops, at: number): Usdt => parseUsdt(wordAt(ops, at, 'The amount'))

/** Rows as a table that lines up. */
export function table(headers: string[], rows: string[][]): string {
  const widths = headers.map((header, at) => Math.max(header.length, ...rows.map((row) => (row[at] ?? '').length)))
  const line = (cells: string[]) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd()
  return [line(headers), line(widths.map((width) => '─'.repeat(width))), ...rows.map(line)].join('\n')
}
