import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { news } from '../../../protocol/news.ts'
import { transaction } from '../../platform/db.ts'
import { addNews } from '../../platform/news.ts'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'
import { createTestClock } from '../../testing/plans.ts'
import { startTelegram, TELEGRAM_TOKEN } from '../../testing/receivers.ts'
import { deliverDue } from './deliver.ts'
import { planNews } from './plan.ts'
import { createTelegramReader, createTelegramSender } from './telegram.ts'

const MINUTE_MS = 60_000
const clock = createTestClock('2026-03-04T10:00:00Z')
let api: TestApi
let telegram: Awaited<ReturnType<typeof startTelegram>>

beforeAll(async () => {
  telegram = await startTelegram()
  const settings = { TELEGRAM_BOT: 'wellplay_bot', TELEGRAM_TOKEN, TELEGRAM_URL: telegram.url }
  api = await createTestApi({ clock, settings })
})
afterAll(async () => {
  await api.close()
  await telegram.close()
})
beforeEach(() => {
  telegram.received.length = 0
  telegram.state.answer = 200
})

const settings = () => {
  if (!api.context.config.telegram) throw new Error('no Telegram')
  return api.context.config.telegram
}
/** Each worker has its own. */
const aReader = () => createTelegramReader(api.context, settings())
const codeOf = async ({ token }: { token: string }) => {
  const { link } = await api.call(news.addTelegram, {}, token)
  expect(link).toMatch(/^https:\/\/t\.me\/wellplay_bot\?start=[\w-]{22}$/)
  return link.slice(-22)
}
const isConnected = async ({ token }: { token: string }) =>
  (await api.call(news.settings, {}, token)).telegram?.connected
async function tell({ number }: { number: number }, key: string): Promise<void> {
  await transaction(api.context.db, (tx) => addNews(tx, { kind: 'support_answered', user: number, key, facts: {} }))
  await planNews(api.context)
  await deliverDue(api.context, 'telegram', createTelegramSender(settings(), 'https://play.example'))
}

test('the link of a user connects one chat, once, for a quarter of an hour', async () => {
  const [anna, late] = [await aUser(api), await aUser(api)]
  const read = aReader()
  const code = await codeOf(anna)
  telegram.writes(1, `/start ${code}`)
  await read()
  expect(await isConnected(anna)).toBe(true)
  expect(telegram.received).toEqual([{ chat_id: 1, text: expect.stringContaining('/stop ends them') }])
  // Someone who sees the link later gets nothing.
  telegram.writes(2, `/start ${code}`)
  await read()
  expect(telegram.received[1]).toEqual({ chat_id: 2, text: expect.stringContaining('no longer works') })
  const old = await codeOf(late)
  clock.addMs(16 * MINUTE_MS)
  telegram.writes(3, `/start ${old}`)
  telegram.writes(3, `/start ${'A'.repeat(22)}`)
  await read()
  expect(await isConnected(late)).toBe(false)
  telegram.received.length = 0
  await tell(anna, 'k')
  expect(telegram.received.map(({ chat_id }) => chat_id)).toEqual([1])
})

test('two workers that read the same updates connect the chat once and answer once', async () => {
  const user = await aUser(api)
  telegram.writes(10, `/start ${await codeOf(user)}`)
  await Promise.all([aReader()(), aReader()(), aReader()()])
  expect(await isConnected(user)).toBe(true)
  expect(telegram.received).toHaveLength(1)
})

test('/stop in the chat and the button on the profile each end the messages, and so does blocking the bot', async () => {
  const read = aReader()
  const aChat = async (chat: number) => {
    const user = await aUser(api)
    telegram.writes(chat, `/start ${await codeOf(user)}`)
    await read()
    return user
  }
  const [stops, presses, blocks] = [await aChat(21), await aChat(22), await aChat(23)]
  telegram.writes(21, '/stop')
  await read()
  await api.call(news.stopTelegram, {}, presses.token)
  telegram.received.length = 0
  telegram.state.answer = 403
  await tell(blocks, 'k')
  telegram.state.answer = 200
  for (const user of [stops, presses, blocks]) {
    expect(await isConnected(user)).toBe(false)
    await tell(user, 'later')
  }
  expect(telegram.received).toEqual([])
})

test('what groups and strangers write to the bot is read and ignored', async () => {
  const user = await aUser(api)
  const code = await codeOf(user)
  const read = aReader()
  telegram.writes(-5, `/start ${code}`, 'group')
  telegram.writes(6, `/start ${code} or 1=1`)
  telegram.writes(6, `/start`)
  telegram.writes(6, 'hello')
  await read()
  expect(await isConnected(user)).toBe(false)
  expect(telegram.received).toEqual([])
})

test('an error of Telegram does not contain the token of the bot', async () => {
  const gone = { ...settings(), url: 'http://127.0.0.1:1' }
  const failed: Error = await createTelegramReader(api.context, gone)().then(
    () => new Error('it worked'),
    (error: Error) => error,
  )
  expect(failed.message).not.toBe('it worked')
  expect(`${failed.stack} ${JSON.stringify(failed.cause)} ${String(failed.cause)}`).not.toContain(TELEGRAM_TOKEN)
})
