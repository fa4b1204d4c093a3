import { AppError } from '../../../protocol/errors.ts'
import type { Id } from '../../../protocol/ids.ts'
import type { InputOf } from '../../../protocol/route.ts'
import {
  MESSAGES_DAY_MAX,
  MESSAGES_MAX,
  OPEN_REQUESTS_MAX,
  refuseReply,
  type support,
} from '../../../protocol/support.ts'
import { asksForHelp } from '../../../protocol/support-crisis.ts'
import { DAY_MS } from '../../../protocol/time.ts'
import { recordAction } from '../../ledger/audit-log.ts'
import { newId, type Tx } from '../../platform/db.ts'
import { publish } from '../../platform/events.ts'
import { addNews } from '../../platform/news.ts'
import { throwIfRefused } from '../../platform/refusals.ts'
import { lockUser } from '../wellness/complete.ts'
import { findThread } from './queries.ts'

export async function openRequest(tx: Tx, userNumber: number, input: InputOf<typeof support.open>, now: Date) {
  await lockUser(tx, userNumber)
  await refuseTooMany(tx, userNumber, now)
  const { total } = await tx
    .selectFrom('support_requests')
    .select(({ fn }) => fn.countAll<bigint>().as('total'))
    .where('user_number', '=', userNumber)
    .where('state', '!=', 'closed')
    .executeTakeFirstOrThrow()
  if (total >= BigInt(OPEN_REQUESTS_MAX))
    throw new AppError(
      'limit_reached',
      `You have ${OPEN_REQUESTS_MAX} open requests. Add to one of them, or close one.`,
    )
  const { topic, subject, text } = input
  const id = newId<'request'>()
  const urgent = asksForHelp(`${subject} ${text}`)
  await tx
    .insertInto('support_requests')
    .values({ id, user_number: userNumber, topic, subject, urgent, created_at: now, updated_at: now })
    .execute()
  await write(tx, id, 'user', text, now)
  return getThread(tx, id, userNumber)
}

export async function replyToRequest(
  tx: Tx,
  userNumber: number,
  { request_id, text }: InputOf<typeof support.reply>,
  now: Date,
) {
  await lockUser(tx, userNumber)
  const { request } = await getThread(tx, request_id, userNumber)
  requireOpen(request)
  if (request.messages >= MESSAGES_MAX)
    throw new AppError('limit_reached', 'This request is very long. Close it and open a new one.')
  await refuseTooMany(tx, userNumber, now)
  await write(tx, request_id, 'user', text, now)
  const urgent = request.urgent || asksForHelp(text)
  await update(tx, request_id, { state: 'open', urgent, updated_at: now })
  return getThread(tx, request_id, userNumber)
}

export async function closeRequest(tx: Tx, userNumber: number, id: Id<'request'>, now: Date) {
  const { request } = await getThread(tx, id, userNumber)
  if (request.state !== 'closed') await update(tx, id, { state: 'closed', updated_at: now })
  return getThread(tx, id, userNumber)
}

/** Stores the operator's answer. An event updates the user's page immediately. */
export async function answerRequest(
  tx: Tx,
  id: Id<'request'>,
  answer: { text: string; close: boolean; who: string },
  now: Date,
): Promise<void> {
  const row = await tx
    .selectFrom('support_requests')
    .select(['user_number', 'state'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new AppError('not_found', 'There is no such request')
  requireOpen(row)
  const message = await write(tx, id, 'operator', answer.text, now)
  await update(tx, id, { state: answer.close ? 'closed' : 'answered', updated_at: now })
  await recordAction(tx, { who: answer.who, what: `answer request_${id}`, why: 'support' })
  await publish(tx, { topic: 'support', user: row.user_number })
  await addNews(tx, { kind: 'support_answered', user: row.user_number, key: message, facts: {} })
}

export async function getThread(tx: Parameters<typeof findThread>[0], id: Id<'request'>, userNumber: number) {
  const thread = await findThread(tx, id, userNumber)
  if (!thread) throw new AppError('not_found', 'There is no such request')
  return thread
}

const requireOpen = (request: Parameters<typeof refuseReply>[0]): void => throwIfRefused(refuseReply(request))

async function refuseTooMany(tx: Tx, userNumber: number, now: Date): Promise<void> {
  const { total } = await tx
    .selectFrom('support_messages as m')
    .innerJoin('support_requests as r', 'r.id', 'm.request_id')
    .select(({ fn }) => fn.countAll<bigint>().as('total'))
    .where('r.user_number', '=', userNumber)
    .where('m.author', '=', 'user')
    .where('m.written_at', '>', new Date(now.getTime() - DAY_MS))
    .executeTakeFirstOrThrow()
  if (total >= BigInt(MESSAGES_DAY_MAX))
    throw new AppError(
      'limit_reached',
      'That’s a lot of messages for one day. We read all of them, so please wait a little.',
    )
}

async function write(tx: Tx, id: Id<'request'>, author: 'user' | 'operator', text: string, now: Date) {
  const message = newId<'message'>()
  await tx
    .insertInto('support_messages')
    .values({ id: message, request_id: id, author, text, written_at: now })
    .execute()
  return message
}

type Change = { state: 'open' | 'answered' | 'closed'; urgent?: boolean; updated_at: Date }

async function update(tx: Tx, id: Id<'request'>, change: Change): Promise<void> {
  await tx.updateTable('support_requests').set(change).where('id', '=', id).execute()
}
