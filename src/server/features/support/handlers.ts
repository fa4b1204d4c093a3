import { formatUsdt } from '../../../protocol/money.ts'
import type { support } from '../../../protocol/support.ts'
import type { Handlers } from '../../context.ts'
import { readToday } from '../../platform/clock.ts'
import { sliceOf } from '../../platform/pages.ts'
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

  releaseHealth: ({ change, user, clock }, { withdraw_amount: amount }) =>
    change(async (tx) => {
      const challenges = await countChallenges(tx, user.number, await readToday(tx, clock))
      await releaseHealth(tx, { userNumber: user.number, amount, challenges })
      return { status: 'success', Msg: `${formatUsdt(amount)} USDT moved to your wallet`, amount }
    }),

  requests: async ({ db, user }, input) => {
    const { page_no, page_size } = sliceOf(input)
    const { data, total } = await listRequests(db, user.number, input)
    return { status: 'success', Msg: 'Your requests', data, page_no, page_size, total }
  },

  thread: async ({ db, user }, { request_id }) => ({
    status: 'success',
    Msg: 'Your request',
    ...(await getThread(db, request_id, user.number)),
  }),

  open: ({ change, user, clock }, input) =>
    change(async (tx) => {
      const thread = await openRequest(tx, user.number, input, clock.now())
      return { status: 'success', Msg: 'We got it. You’ll see the answer here.', ...thread }
    }),

  appeal: ({ change, user, clock }, input) =>
    change(async (tx) => {
      const thread = await appealHold(tx, user.number, input, clock.now())
      return { status: 'success', Msg: 'We’ll take another look. You’ll see the answer in Health Support.', ...thread }
    }),

  reply: ({ change, user, clock }, input) =>
    change(async (tx) => {
      const thread = await replyToRequest(tx, user.number, input, clock.now())
      return { status: 'success', Msg: 'Sent', ...thread }
    }),

  close: ({ change, user, clock }, { request_id }) =>
    change(async (tx) => {
      const thread = await closeRequest(tx, user.number, request_id, clock.now())
      return { status: 'success', Msg: 'Closed', ...thread }
    }),
}
