import { AppError } from '../../protocol/errors.ts'
import type { Id } from '../../protocol/ids.ts'
import { requestId, supportText } from '../../protocol/support.ts'
import { findThread, listWaiting, type Waiting } from '../features/support/queries.ts'
import { answerRequest } from '../features/support/requests.ts'
import { type Db, transaction } from '../platform/db.ts'
import { printable } from '../platform/redact.ts'
import { ALL, AS, type Command, type Ops, operatorName, wordAt, wrong } from './command.ts'

const LIST_MAX = 100

async function list({ context, flags, write }: Ops): Promise<undefined> {
  const rows = await listWaiting(context.db, { all: flags['all'] === true, limit: LIST_MAX })
  write(rows.length === 0 ? 'No requests are waiting for an answer.' : rows.map(lineOf).join('\n'))
  return undefined
}

function idOf(ops: Ops): Id<'request'> {
  const id = requestId.safeParse(wordAt(ops, 0, 'The id of the request'))
  if (!id.success) throw wrong('This is not a request id')
  return id.data
}

async function show(ops: Ops): Promise<undefined> {
  ops.write(await threadText(ops.context.db, idOf(ops)))
  return undefined
}

/** The audit log records which operator answered. Reading requests needs no name. */
async function answer(ops: Ops): Promise<undefined> {
  const { context, words, flags } = ops
  const [id, who] = [idOf(ops), operatorName(ops)]
  const text = supportText.safeParse(words.slice(1).join(' '))
  if (!text.success) throw wrong('Write the answer after the id')
  const close = flags['close'] === true
  await transaction(context.db, (tx) => answerRequest(tx, id, { text: text.data, close, who }, context.clock.now()))
  return show(ops)
}

const lineOf = ({ id, state, urgent, topic, username, updated_at, subject }: Waiting): string =>
  [`request_${id}`, urgent ? 'URGENT' : state, topic, username, updated_at.toISOString(), printable(subject)].join('  ')

async function threadText(db: Db, id: Id<'request'>): Promise<string> {
  const thread = await findThread(db, id)
  if (!thread) throw new AppError('not_found', 'There is no such request')
  const { request, data } = thread
  const head = `request_${request.id}  ${request.state}${request.urgent ? '  URGENT' : ''}\n${printable(request.subject)}`
  const messages = data.map(
    ({ author, text, written_at }) => `\n${author}, ${written_at.toISOString()}\n  ${printable(text)}`,
  )
  return [head, ...messages].join('\n')
}

export const supportCommands: Command[] = [
  { name: 'support list', options: ALL, summary: 'waiting requests, urgent ones first', run: list },
  { name: 'support show', takes: '<request>', summary: 'all messages of a request', run: show },
  {
    name: 'support answer',
    takes: '<request> <text>',
    options: { close: { type: 'boolean', about: 'also closes the request' }, ...AS },
    summary: 'answers a request',
    run: answer,
  },
]
