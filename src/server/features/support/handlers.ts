import { formatUsdt } from '../../../protocol/money.ts'
import { PAGE_SIZE } from '../../../protocol/route.ts'
import type { support } from '../../../protocol/support.ts'
import type { Handlers } from '../../context.ts'
import { readToday } from '../../platform/clock.ts'
import { newId, transaction } from '../../platform/db.ts'
import { keyedId } from '../../platform/keyed-id.ts'
import { releaseHealth } from '../rewards/health.ts'
import { appealHold } from './appeals.ts'
import { countChallenges, readHealth } from './health.ts'
import { listRequests } from './queries.ts'
import { closeRequest, getThread, openRequest, replyToRequest } from './requests.ts'

export const handlers: Handlers<typeof support> = {
  health: async ({ db, user, clock }) => ({
    status: 'success',
    Msg: 'Your health balance',
    ...(await readHealth(db, user.number, await readToday(db, clock))),
  }),

  releaseHealth: async ({ db, user, clock, idempotencyKey }, { withdraw_amount: amount }) => {
    const reference = idempotencyKey ? keyedId('health_release', user.number, idempotencyKey) : newId()
    await transaction(db, async (tx) => {
      const challenges = await countChallenges(tx, user.number, await readToday(tx, clock))
      await releaseHealth(tx, { userNumber: user.number, amount, challenges, reference })
    })
    return { status: 'success', Msg: `${formatUsdt(amount)} USDT moved to your wallet`, amount }
  },

  requests: async ({ db, user }, { page_no }) => {
    const { data, total } = await listRequests(db, user.number, page_no)
    return { status: 'success', Msg: 'Your requests', data, page_no, page_size: PAGE_SIZE, total }
  },

  thread: async ({ db, user }, { request_id }) => ({
    status: 'success',
    Msg: 'Your request',
    ...(await getThread(db, request_id, user.number)),
  }),

  open: async ({ db, user, clock }, input) => {
    const thread = await transaction(db, (tx) => openRequest(tx, user.number, input, clock.now()))
    return { status: 'success', Msg: 'We got it. You will see the answer here.', ...thread }
  },

  appeal: async ({ db, user, clock }, input) => {
    const thread = await transaction(db, (tx) => appealHold(tx, user.number, input, clock.now()))
    return { status: 'success', Msg: 'We look at it again. You will see the answer in Health Support.', ...thread }
  },

  reply: async ({ db, user, clock }, input) => {
    const thread = await transaction(db, (tx) => replyToRequest(tx, user.number, input, clock.now()))
    return { status: 'success', Msg: 'Sent', ...thread }
  },

  close: async ({ db, user, clock }, { request_id }) => {
    const thread = await transaction(db, (tx) => closeRequest(tx, user.number, request_id, clock.now()))
    return { status: 'success', Msg: 'Closed', ...thread }
  },
}
