import { AppError } from '../../../protocol/errors.ts'
import { formatUsdt } from '../../../protocol/money.ts'
import { PAGE_SIZE } from '../../../protocol/route.ts'
import type { transfers } from '../../../protocol/transfers.ts'
import type { Context, Handlers } from '../../context.ts'
import { batched } from '../../platform/batch.ts'
import { type Event, publish } from '../../platform/events.ts'
import { createRecipientFinder, listTransfers, sendTransfer } from './transfers.ts'

/** As many as fit into one NOTIFY payload of 8,000 bytes. */
const EVENTS_PER_NOTIFY = 150
const EVENTS_GATHER_MS = 50

/** Batches recipient look-ups and balance events. One per database. */
function createBatchers({ db, pool, log }: Context) {
  const publishBatched = batched<Event, true>(
    async (events) => {
      await publish(db, ...events)
      return events.map(() => true)
    },
    { sizeMax: EVENTS_PER_NOTIFY, gatherMs: EVENTS_GATHER_MS },
  )
  return {
    findRecipient: createRecipientFinder(pool),
    /** Events only make browsers refetch. The transfer is committed, so a lost event just delays the display. */
    publishBalances(from: number, to: number): void {
      for (const user of [from, to])
        publishBatched({ topic: 'balance', user }).catch((error: Error) =>
          log.warn({ error: error.message }, 'publishing a balance event failed'),
        )
    },
  }
}

const batchersByDb = new WeakMap<Context['db'], ReturnType<typeof createBatchers>>()
function batchersOf(context: Context) {
  const batchers = batchersByDb.get(context.db) ?? createBatchers(context)
  batchersByDb.set(context.db, batchers)
  return batchers
}

export const handlers: Handlers<typeof transfers> = {
  send: async (context, { to_user, amount, source, note }) => {
    const { user, idempotencyKey } = context
    if (idempotencyKey === undefined)
      throw new AppError('idempotency_key_required', 'Send an Idempotency-Key header, so that a retry cannot pay twice')
    const batchers = batchersOf(context)
    const to = await batchers.findRecipient(user, to_user)
    const data = await sendTransfer(context, user, { to, amount, source, note: note || null }, idempotencyKey)
    batchers.publishBalances(user.number, to.number)
    return { status: 'success', Msg: `${formatUsdt(amount)} USDT sent to ${to.username}`, data }
  },

  history: async ({ db, user }, { page_no }) => {
    const { data, total } = await listTransfers(db, user.number, page_no)
    return { status: 'success', Msg: 'Your transfers', data, page_no, page_size: PAGE_SIZE, total }
  },

  recipient: async (context, { to_user }) => {
    const { username, level } = await batchersOf(context).findRecipient(context.user, to_user)
    return { status: 'success', Msg: `${username} can receive transfers`, data: { username, level } }
  },
}
