import { z } from 'zod'
import { id } from './ids.ts'
import { usdt, usdtInput } from './money.ts'
import { holdId } from './referrals.ts'
import { nothing, page, pageInput, route, success } from './route.ts'
import type { Refusal } from './rules.ts'
import { instant } from './time.ts'
import { storableText } from './user-text.ts'

export const requestId = id('request')
export const SUPPORT_TOPICS = ['health', 'account', 'money', 'games', 'other'] as const
/** Open: waiting for the operator. Answered: waiting for the user. Closed: finished. */
export const SUPPORT_STATES = ['open', 'answered', 'closed'] as const
export const OPEN_REQUESTS_MAX = 5
export const MESSAGES_MAX = 100
export const MESSAGES_DAY_MAX = 40

const text = (charsMax: number) =>
  storableText.trim().min(1, 'Write a few words').max(charsMax, `At most ${charsMax} characters`)
export const SUPPORT_TEXT_CHARS_MAX = 2_000
export const SUPPORT_SUBJECT_CHARS_MAX = 120
export const supportText = text(SUPPORT_TEXT_CHARS_MAX)
const supportSubject = text(SUPPORT_SUBJECT_CHARS_MAX)

const request = z.strictObject({
  id: requestId,
  topic: z.enum(SUPPORT_TOPICS),
  subject: z.string(),
  state: z.enum(SUPPORT_STATES),
  /** The user may be in danger: the page shows crisis contacts, and the operator sees this request first. */
  urgent: z.boolean(),
  messages: z.int(),
  created_at: instant,
  updated_at: instant,
})
export type SupportRequest = z.output<typeof request>

export const refuseReply = ({ state }: Pick<SupportRequest, 'state'>): Refusal | undefined =>
  state === 'closed' ? { code: 'request_closed', message: 'This request is closed. Open a new one.' } : undefined

const message = z.strictObject({ author: z.enum(['user', 'operator']), text: z.string(), written_at: instant })
const thread = { request, data: z.array(message) }

/** A user whose account is frozen must still be able to ask why. */
const writing = { method: 'POST', auth: 'user', changes: true, evenFrozen: true, limit: 'money' } as const

export const support = {
  health: route({
    method: 'POST',
    path: '/support/health/',
    summary: 'Your health balance, and what is still needed to release it',
    auth: 'user',
    input: nothing,
    output: success({
      balance: usdt,
      minimum: usdt,
      challenges_done: z.int(),
      challenges_needed: z.int(),
      window_days: z.int(),
    }),
  }),
  releaseHealth: route({
    method: 'POST',
    path: '/healthroi/',
    summary: 'Move your health balance to your wallet, once you have completed enough challenges',
    auth: 'user',
    changes: true,
    limit: 'money',
    input: z.strictObject({ withdraw_amount: usdtInput }),
    output: success({ amount: usdt }),
    errors: ['not_eligible', 'amount_below_minimum', 'insufficient_balance'],
  }),
  requests: route({
    method: 'POST',
    path: '/support/requests/',
    summary: 'Your support requests, most recently updated first',
    auth: 'user',
    input: pageInput,
    output: page(request),
  }),
  thread: route({
    method: 'POST',
    path: '/support/thread/',
    summary: 'A request with all its messages',
    auth: 'user',
    input: z.strictObject({ request_id: requestId }),
    output: success(thread),
    errors: ['not_found'],
  }),
  open: route({
    ...writing,
    path: '/support/open/',
    summary: 'Write to the operator',
    input: z.strictObject({ topic: z.enum(SUPPORT_TOPICS), subject: supportSubject, text: supportText }),
    output: success(thread),
    errors: ['limit_reached'],
  }),
  appeal: route({
    ...writing,
    path: '/support/appeal/',
    summary: 'Appeal a reward on hold. The operator answers in a support request',
    input: z.strictObject({ hold_id: holdId, text: supportText }),
    output: success(thread),
    errors: ['not_found', 'not_eligible', 'limit_reached'],
  }),
  reply: route({
    ...writing,
    path: '/support/reply/',
    summary: 'Reply to a request. It then waits for the operator again',
    input: z.strictObject({ request_id: requestId, text: supportText }),
    output: success(thread),
    errors: ['not_found', 'request_closed', 'limit_reached'],
  }),
  close: route({
    ...writing,
    path: '/support/close/',
    summary: 'Close a request that is settled',
    input: z.strictObject({ request_id: requestId }),
    output: success(thread),
    errors: ['not_found'],
  }),
}
