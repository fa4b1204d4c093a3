import { afterAll, beforeAll, expect, test } from 'vitest'
import { aUser } from '../../src/server/testing/api.ts'
import { startPaymentChain } from '../../src/server/testing/chain.ts'
import { createTestTable } from '../../src/server/testing/colour.ts'
import { examples, type Scene } from '../idempotency/examples.ts'

/** Makes every call as the specification's own client would: a plain token, its paths and its payloads, no other field. */
let scene: Scene
beforeAll(async () => {
  const node = await startPaymentChain()
  const api = await createTestTable({ settings: node.settings, house: '100000' })
  await api.open(3_600)
  scene = { api, node }
})
afterAll(async () => {
  await scene.api.close()
  await scene.node.stop()
})

/** `row` is a row of the specification's table. `example` prepares a call that changes something. */
type Row = { row: string; example?: string; list?: 'data' | 'history' }
const rows: Row[] = [
  { row: 'POST /game/start/ {token}', example: 'quiz.start' },
  { row: 'POST /game/{id}/shoot/ {score}', example: 'quiz.shoot' },
  { row: 'POST /game/{id}/end/ none', example: 'quiz.end' },
  {
    row: 'POST /gamebuyplan/ {usdt_amount, from_address, to_address, trans_hash, package_type}',
    example: 'plans.buy',
  },
  { row: 'POST /planhistory/ {pageno}', list: 'data' },
  { row: 'POST /gameupline_referral/ {purchase_amount}', example: 'plans.upline' },
  { row: 'POST /detail/ empty' },
  { row: 'POST /process_rewards/ {user_id}', example: 'rewards.claim' },
  { row: 'POST /Referral_history/ {page_no}', list: 'data' },
  { row: 'POST /business_performance/ {page_no}', list: 'data' },
  { row: 'POST /referral_details/ {page_no}', list: 'data' },
  { row: 'POST /Direct_referral_list/ {page_no}', list: 'data' },
  { row: 'POST /withdraw_request/ not shown', example: 'withdrawals.request' },
  { row: 'POST /withdraw_history/ {page_no}', list: 'data' },
  { row: 'POST /roiearning_history/ empty', list: 'data' },
  { row: 'POST /healthroi/ {withdraw_amount}', example: 'support.releaseHealth' },
  { row: 'POST /betwallet/ not shown', example: 'colour.wallet' },
  { row: 'GET /betwallet_history/ none', list: 'data' },
  { row: 'GET /active-game/ none' },
  { row: 'GET /games/ none', list: 'data' },
  { row: 'POST /place-bet/ {amount, color}', example: 'colour.placeBet' },
  { row: 'POST /colorupline_referral/ {amount}', example: 'colour.upline' },
  { row: 'GET /bet_history/ none', list: 'history' },
  { row: 'POST /direct_referral_tree/ {user_name}' },
  { row: 'POST /release_royalty/ {force_check: true}', example: 'rewards.royalty' },
  { row: 'POST /BNBStaus_update/ empty' },
]

/** Fields without which a call still works: a list starts at its first page. */
const PAGES = ['page_no', 'pageno']
/** Calls that also work without a token. */
const PUBLIC = ['/games/']

test.each(rows.map((row): [string, Row] => [row.row, row]))('%s', async (_, { row, example, list }) => {
  const { method, path, fields, isShown } = partsOf(row)
  const { token, id, given } = await requestFor(example)
  const body = isShown ? pick(given, fields) : given
  const isTokenInBody = fields.includes('token')
  const send = (sent: object, headers: Record<string, string>, by = method) =>
    scene.api.send(by, path.replace('{id}', id), Object.keys(sent).length > 0 ? sent : undefined, headers)

  expect((await send({}, { token }, method === 'GET' ? 'POST' : 'GET')).status).not.toBe(200)
  if (!isTokenInBody && !PUBLIC.includes(path)) expect((await send(body, {})).status).toBe(401)
  for (const field of fields) {
    const { [field]: _, ...others } = body
    const reply = await send(others, { token })
    if (PAGES.includes(field)) expect(reply).toMatchObject({ status: 200, body: { page_no: 1 } })
    else expect(reply).toMatchObject({ status: 400, body: { field } })
  }
  const reply = await send(body, isTokenInBody ? {} : { token })
  expect(reply, JSON.stringify(reply.body)).toMatchObject({ status: 200, body: { status: 'success' } })
  expect(reply.body.Msg).toEqual(expect.any(String))
  if (list) expect(reply.body[list]).toBeInstanceOf(Array)
})

/** A payload that is 'none' or 'empty' has no fields. */
function partsOf(row: string): { method: 'GET' | 'POST'; path: string; fields: string[]; isShown: boolean } {
  const [, method = '', path = '', payload = ''] = /^(\S+) (\S+) (.+)$/.exec(row) ?? []
  const fields = [...payload.matchAll(/(?:\{|, )(\w+)/g)].map(([, field = '']) => field)
  return { method: method as 'GET' | 'POST', path, fields, isShown: payload !== 'not shown' }
}

async function requestFor(example: string | undefined) {
  if (example) {
    const { token, id = '', body } = (await examples[example]?.(scene)) ?? { token: '', body: {} }
    return { token, id, given: body as Record<string, unknown> }
  }
  const { token, username } = await aUser(scene.api)
  return { token, id: '', given: { page_no: 1, pageno: 1, user_name: username } as Record<string, unknown> }
}

const pick = (given: Record<string, unknown>, fields: string[]) =>
  Object.fromEntries(fields.map((field) => [field, given[field]]))

test('a call with an empty payload works with an empty object too', async () => {
  const { token } = await aUser(scene.api)
  for (const path of ['/detail/', '/roiearning_history/', '/BNBStaus_update/'])
    expect(await scene.api.send('POST', path, {}, { token })).toMatchObject({ status: 200 })
})
