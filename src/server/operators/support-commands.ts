import { type Command, type Ops, wrong } from './command.ts'
import { supportCommand } from './support-command.ts'

/** Answers are signed by whoever writes them; what people ask may be read by any operator. */
function run(action: 'list' | 'show' | 'answer') {
  return ({ context, words, flags, write }: Ops) => {
    const who = String(flags['as'] ?? '')
    if (action === 'answer' && !/^[a-z][a-z0-9_-]{1,30}$/.test(who)) throw wrong('Say who answers: --as NAME')
    const switches = ['all', 'close'].filter((name) => flags[name] === true).map((name) => `--${name}`)
    return supportCommand(context.db, [action, ...words, ...switches], write, { who, now: context.clock.now() })
  }
}

export const supportCommands: Command[] = [
  { name: 'support list', takes: '[--all]', summary: 'requests that wait, the urgent first', run: run('list') },
  { name: 'support show', takes: '<request>', summary: 'all messages of a request', run: run('show') },
  {
    name: 'support answer',
    takes: '<request> <text> [--close] --as NAME',
    summary: 'answers a request',
    run: run('answer'),
  },
]
