import { AppError } from '../../../protocol/errors.ts'
import { formatUsdt } from '../../../protocol/money.ts'
import { PAGE_SIZE } from '../../../protocol/route.ts'
import type { transfers } from '../../../protocol/transfers.ts'
import type { Context, Handlers } from '../../context.ts'
import { batched } from '../../platform/batch.ts'
import { type Event, publish } from '../../platform/events.ts'
import { createRecipientFinder, listTransfers, sendTransfer } from './transfers.ts'

/** As many as fit into a notice of 8,000 bytes. */
const EVENTS_PER_NOTICE = 150
const NEWS_GATHER_MS = 50

/** What the handlers keep per context: batches of look-ups and of news. */
function createDesk({ db, pool, log }: Context) {
  const tell = batched<Event, true>(
    async (events) => {
      await publish(db, ...events)
      return events.map(() => true)
    },
    { sizeMax: EVENTS_PER_NOTICE, gatherMs: NEWS_GATHER_MS },
  )
  return {
    findRecipient: createRecipientFinder(pool),
    /** News is a hint to look: the transfer is committed, so a lost one costs nothing but a moment. */
    tellBoth(from: number, to: number): void {
      for (const user of [from, to])
        tell({ topic: 'balance', user }).catch((error: Error) => log.warn({ error: error.message }, 'news not told'))
    },
  }
}

const desks = new WeakMap<Context['db'], ReturnType<typeof createDesk>>()
function deskOf(context: Context) {
  const desk = desks.get(context.db) ?? createDesk(context)
  desks.set(context.db, desk)
  return desk
}

export const handlers: Handlers<typeof transfers> = {
  send: async (context, { to_user, amount, source, note }) => {
    const { user, idempotencyKey } = context
    if (idempotencyKey === undefined)
      throw new AppError('idempotency_key_required', 'Send an Idempotency-Key, so that a repeat moves nothing')
    const desk = deskOf(context)
    const to = await desk.findRecipient(user, to_user)
    const data = await sendTransfer(context, user, { to, amount, source, note: note || null }, idempotencyKey)
    desk.tellBoth(user.number, to.number)
    return { status: 'success', Msg: `${formatUsdt(amount)} USDT sent to ${to.username}`, data }
  },

  history: async ({ db, user }, { page_no }) => {
    const { data, total } = await listTransfers(db, user.number, page_no)
    return { status: 'success', Msg: 'Your transfers', data, page_no, page_size: PAGE_SIZE, total }
  },

  recipient: async (context, { to_user }) => {
    const { username, level } = await deskOf(context).findRecipient(context.user, to_user)
    return { status: 'success', Msg: `${username} can receive`, data: { username, level } }
  },
}
