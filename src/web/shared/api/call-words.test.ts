import { afterEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { balance } from '../../../protocol/balance.ts'
import { colour } from '../../../protocol/colour.ts'
import { plans } from '../../../protocol/plans.ts'
import { referrals } from '../../../protocol/referrals.ts'
import { rewards } from '../../../protocol/rewards.ts'
import type { Route, Routes } from '../../../protocol/route.ts'
import { routes } from '../../../protocol/routes.ts'
import { users } from '../../../protocol/users.ts'
import { type CallError, call } from './api.ts'
import { type Reason, wordsFor } from './call-words.ts'

const NO_ANSWER = 'No answer from the server. Nothing was lost: check your connection and try again.'
const explained: Reason = { fromServer: 'The reason', isAnswered: true, status: 500 }
const refused: Reason = { fromServer: 'The reason', isAnswered: true, status: 400 }
const unexplained: Reason = { fromServer: undefined, isAnswered: true, status: 500 }
const unanswered: Reason = { fromServer: undefined, isAnswered: false, status: undefined }

const calls = Object.entries<Routes>(routes).flatMap(([feature, table]) =>
  Object.entries(table).map(([name, route]): [string, Route] => [`${feature}.${name}`, route]),
)
const isList = ({ output }: Route) =>
  output instanceof z.ZodObject && 'page_no' in output.shape && 'total' in output.shape
// A page of a tree, not a list.
const lists = calls.filter(([name, route]) => isList(route) && name !== 'referrals.tree')
/** Calls for which the specification has a text of its own. */
const own = ['plans.buy', 'plans.history', 'rewards.claim', 'balance.details', 'withdrawals.terms', 'colour.wallet']

test.each(lists)('%s is a list: its failure is also a notification, with the message of the server', (_, route) => {
  for (const reason of [explained, refused])
    expect(wordsFor(route, reason)).toMatchObject({ detail: 'The reason', notice: 'Backend error: The reason' })
  expect(wordsFor(route, unexplained).notice).toBe('Backend error: Unknown error occurred')
  expect(wordsFor(route, unanswered)).toMatchObject({
    detail: NO_ANSWER,
    notice: 'Backend error: Unknown error occurred',
  })
})

test.each(calls.filter(([name]) => !own.includes(name)))('%s says what failed, and why', (_, route) => {
  const { message, notice } = wordsFor(route, explained)
  if (notice) {
    for (const reason of [explained, refused, unexplained, unanswered])
      expect(wordsFor(route, reason).message).toMatch(/^Failed to fetch [^.:]+\. Please try again\.$/)
    return
  }
  const [, action] = /^(Failed to [^:]+): The reason$/.exec(message) ?? []
  expect(action).toBeDefined()
  expect(wordsFor(route, refused).message).toBe(`${action}: The reason`)
  expect(wordsFor(route, unexplained).message).toBe(`${action}: Unknown error occurred`)
  expect(wordsFor(route, unanswered).message).toBe(`${action}: ${NO_ANSWER}`)
})

describe('the texts that the specification gives', () => {
  const messagesOf = (route: Route) =>
    [explained, refused, unexplained, unanswered].map((reason) => wordsFor(route, reason).message)

  test('referral history', () => {
    expect(wordsFor(rewards.referrals, unexplained).message).toBe('Failed to fetch referral history. Please try again.')
  })
  test('plan history', () => {
    expect(new Set(messagesOf(plans.history))).toEqual(new Set(['Error fetching plan history']))
  })
  test('details', () => {
    expect(new Set(messagesOf(balance.details))).toEqual(new Set(['Error fetching details']))
    expect(wordsFor(balance.details, refused)).toEqual({ message: 'Error fetching details', detail: 'The reason' })
  })
  test('reward claim', () => {
    expect(new Set(messagesOf(rewards.claim))).toEqual(new Set(['An error occurred while claiming the reward.']))
  })
  test('purchase: the returned message or the text of the specification', () => {
    const text = 'Payment processing failed'
    expect(messagesOf(plans.buy)).toEqual(['The reason', 'The reason', text, `${text}. ${NO_ANSWER}`])
  })
  test('betting wallet: a refusal without a reason, or for a hash that was used', () => {
    const recorded = 'Transaction already recorded'
    const refusal = (fromServer: string | undefined) =>
      wordsFor(colour.wallet, { fromServer, isAnswered: true, status: 400 }).message
    expect([refusal(undefined), refusal(recorded)]).toEqual([recorded, recorded])
    expect(refusal('Insufficient balance')).toBe('Failed to move bet wallet funds: Insufficient balance')
  })
})

describe('a reply becomes words', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })

  /** The error of a call to which every attempt gets this reply. */
  async function failureOf(
    reply: (url?: string, init?: RequestInit) => Promise<Response>,
    called: () => Promise<unknown> = () => call(referrals.direct, { page_no: 1 }),
  ): Promise<CallError> {
    vi.useFakeTimers({ toFake: ['setTimeout', 'Date'] })
    vi.stubGlobal('fetch', reply)
    vi.stubGlobal('location', { origin: 'http://localhost' })
    const failed = called().then(
      () => Promise.reject(new Error('the call should have failed')),
      (error: CallError) => error,
    )
    await vi.runAllTimersAsync()
    return failed
  }
  const privacyCall = () => call(referrals.privacy, { hide: true })
  const json = (status: number, body: object) => async () => Response.json(body, { status })

  test('500 with a message', async () => {
    const error = await failureOf(json(500, { code: 'internal', message: 'It broke' }))
    expect(error).toMatchObject({ code: 'internal', detail: 'It broke', notice: 'Backend error: It broke' })
  })
  test('500 without a body', async () => {
    const error = await failureOf(async () => new Response(null, { status: 500 }))
    expect(error).toMatchObject({
      code: 'internal',
      message: 'Failed to fetch direct referral list. Please try again.',
      detail: undefined,
      notice: 'Backend error: Unknown error occurred',
    })
  })
  test('no reply', async () => {
    const error = await failureOf(() => Promise.reject(new TypeError('Failed to fetch')))
    expect(error).toMatchObject({ code: 'unavailable', detail: NO_ANSWER })
  })
  test('503 with Retry-After: the call is repeated with the same key until the service is back', async () => {
    const keys: (string | null)[] = []
    const restarting = () =>
      Response.json({ code: 'unavailable', message: 'Restarting' }, { status: 503, headers: { 'retry-after': '2' } })
    const error = await failureOf(async (_url?: string, init?: RequestInit) => {
      keys.push(new Headers(init?.headers).get('idempotency-key'))
      return keys.length < 8 ? restarting() : Response.json({ code: 'forbidden', message: 'No' }, { status: 403 })
    }, privacyCall)
    expect(error.code).toBe('forbidden')
    expect(keys).toHaveLength(8)
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).toMatch(/^[\da-f-]{36}$/)
  })
  test('503 with Retry-After for more than a minute', async () => {
    let attempts = 0
    const error = await failureOf(async () => {
      attempts++
      return Response.json({ code: 'unavailable', message: 'Busy' }, { status: 503, headers: { 'retry-after': '2' } })
    })
    expect(error).toMatchObject({ code: 'unavailable', detail: 'Busy' })
    // Pauses of 2, 4, then 5 seconds, each between half and one and a half times as long.
    expect(attempts).toBeGreaterThanOrEqual(10)
    expect(attempts).toBeLessThanOrEqual(26)
  })
  test('503 without Retry-After is not repeated', async () => {
    const fetched = vi.fn(json(503, { code: 'halted', message: 'Payouts are paused' }))
    const error = await failureOf(fetched)
    expect(error).toMatchObject({ code: 'halted', detail: 'Payouts are paused' })
    expect(fetched).toHaveBeenCalledTimes(1)
  })
  test('400 with a field', async () => {
    const message = 'Page number must be at least 1'
    const error = await failureOf(json(400, { code: 'invalid_input', message, field: 'page_no' }))
    expect(error).toMatchObject({ code: 'invalid_input', field: 'page_no', detail: message })
  })
  test('200 that does not match the schema', async () => {
    const error = await failureOf(json(200, { status: 'success' }))
    expect(error).toMatchObject({ code: 'internal', detail: undefined })
  })
  test('a value that the schema refuses is not sent', async () => {
    const fetched = vi.fn()
    vi.stubGlobal('fetch', fetched)
    const refusal = call(users.nonce, { wallet_address: 'x' as never })
    await expect(refusal).rejects.toMatchObject({ message: 'Failed to start the sign-in: Wallet address is not valid' })
    expect(fetched).not.toHaveBeenCalled()
  })
})
