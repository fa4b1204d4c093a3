import { AppError } from '../../protocol/errors.ts'
import type { Id } from '../../protocol/ids.ts'
import { requestId, supportText } from '../../protocol/support.ts'
import { findThread, listWaiting, type Waiting } from '../features/support/queries.ts'
import { answerRequest } from '../features/support/requests.ts'
import { type Db, transaction } from '../platform/db.ts'

const LIST_MAX = 100
const USAGE = `ops support list [--all]                      requests that wait, the urgent first
ops support show <request_id>                 all its messages
ops support answer <request_id> <text> [--close] --as NAME`

type Options = { who: string; now: Date }

/** `ops support …`: what people ask, and the answers to it. */
export async function supportCommand(
  db: Db,
  args: readonly string[],
  write: (text: string) => void,
  { who, now }: Options,
): Promise<0 | 1> {
  const flags = new Set(args.filter((arg) => arg.startsWith('--')))
  const [action, id, ...words] = args.filter((arg) => !arg.startsWith('--'))
  if (action === 'list') {
    const rows = await listWaiting(db, { all: flags.has('--all'), limit: LIST_MAX })
    write(rows.length === 0 ? 'Nobody waits for an answer.' : rows.map(lineOf).join('\n'))
    return 0
  }
  const request = requestId.safeParse(id)
  if ((action !== 'show' && action !== 'answer') || !request.success) {
    write(USAGE)
    return 1
  }
  if (action === 'answer') {
    const text = supportText.safeParse(words.join(' '))
    if (!text.success) {
      write('Write the answer after the id.')
      return 1
    }
    const answer = { text: text.data, close: flags.has('--close'), who }
    await transaction(db, (tx) => answerRequest(tx, request.data, answer, now))
  }
  write(await showThread(db, request.data))
  return 0
}

const lineOf = ({ id, state, urgent, topic, username, updated_at, subject }: Waiting): string =>
  [`request_${id}`, urgent ? 'URGENT' : state, topic, username, updated_at.toISOString(), printable(subject)].join('  ')

async function showThread(db: Db, id: Id<'request'>): Promise<string> {
  const thread = await findThread(db, id)
  if (!thread) throw new AppError('not_found', 'There is no such request')
  const { request, data } = thread
  const head = `request_${request.id}  ${request.state}${request.urgent ? '  URGENT' : ''}\n${printable(request.subject)}`
  const messages = data.map(
    ({ author, text, written_at }) => `\n${author}, ${written_at.toISOString()}\n  ${printable(text)}`,
  )
  return [head, ...messages].join('\n')
}

// What strangers write must not steer the operator's terminal.
const printable = (text: string): string =>
  text.replace(/\p{Cc}/gu, (character) => (character === '\n' ? '\n  ' : '\uFFFD'))
