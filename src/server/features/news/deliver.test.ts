import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import webPush from 'web-push'
import { parseUsdt } from '../../../protocol/money.ts'
import { type News, news, newsKinds } from '../../../protocol/news.ts'
import { choicesOf, type NewsChannel } from '../../../protocol/news-choices.ts'
import { transaction } from '../../platform/db.ts'
import { createLog } from '../../platform/log.ts'
import { addNews } from '../../platform/news.ts'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'
import { createTestClock } from '../../testing/plans.ts'
import { startMailServer, startPushService, startTelegram, TELEGRAM_TOKEN } from '../../testing/receivers.ts'
import { deliverDue, LEASE_MS, retryMs, type Send } from './deliver.ts'
import { createMailer } from './mail.ts'
import { planNews } from './plan.ts'
import { createPushSender } from './push.ts'
import { sendCodes } from './send-codes.ts'
import { createTelegramReader, createTelegramSender } from './telegram.ts'

const MINUTE_MS = 60_000
const clock = createTestClock('2026-03-04T10:00:00Z')
let api: TestApi
let service: Awaited<ReturnType<typeof startPushService>>
let mailServer: Awaited<ReturnType<typeof startMailServer>>
let telegram: Awaited<ReturnType<typeof startTelegram>>
let senders: Record<NewsChannel, Send>
let readTelegram: () => Promise<void>

beforeAll(async () => {
  const keys = webPush.generateVAPIDKeys()
  service = await startPushService(keys.publicKey)
  mailServer = await startMailServer()
  telegram = await startTelegram()
  const settings = {
    ...{ PUSH_PUBLIC_KEY: keys.publicKey, PUSH_PRIVATE_KEY: keys.privateKey, PUSH_CONTACT: 'mailto:op@example.com' },
    ...{ PUSH_SERVICES: service.origin, SMTP_URL: mailServer.url, MAIL_FROM: 'news@example.com' },
    ...{ TELEGRAM_BOT: 'wellplay_bot', TELEGRAM_TOKEN, TELEGRAM_URL: telegram.url },
  }
  api = await createTestApi({ clock, settings })
  const { config } = api.context
  if (!config.push || !config.mail || !config.telegram) throw new Error('no channels')
  senders = {
    push: createPushSender(config.push),
    email: createMailer(config.mail, 'https://play.example').sendNews,
    telegram: createTelegramSender(config.telegram, 'https://play.example'),
  }
  readTelegram = createTelegramReader(api.context, config.telegram)
})
afterAll(async () => {
  await api.close()
  await service.close()
  await mailServer.close()
  await telegram.close()
})
beforeEach(async () => {
  await deliverAll()
  service.received.length = 0
  mailServer.received.length = 0
  telegram.received.length = 0
  service.state.answer = 201
  telegram.state.answer = 200
  mailServer.state.isDown = false
})

const deliverAll = async () => {
  await planNews(api.context)
  for (const channel of ['push', 'email', 'telegram'] as const) await deliverDue(api.context, channel, senders[channel])
}
const mailer = () => createMailer(api.context.config.mail ?? { url: '', from: '' }, 'https://play.example')

/** A user whose browser, mailbox and chat get news. */
async function aReader() {
  const user = await aUser(api)
  await api.call(news.addDevice, await service.subscribe(), user.token)
  await confirm(user.token, `${user.username}@example.com`)
  await connect(user)
  return user
}

async function connect({ token, number }: { token: string; number: number }) {
  const { link } = await api.call(news.addTelegram, {}, token)
  telegram.writes(number, `/start ${new URL(link).searchParams.get('start')}`)
  await readTelegram()
  telegram.received.length = 0
}

async function confirm(token: string, address: string) {
  await api.call(news.addEmail, { address }, token)
  await sendCodes(api.context, mailer())
  const [, code = ''] = /^Subject: (\d{6}) is/m.exec(mailServer.received.at(-1)?.raw ?? '') ?? []
  await api.call(news.confirmEmail, { code }, token)
  mailServer.received.length = 0
}

const tell = (user: number, key: string, what: News) =>
  transaction(api.context.db, (tx) => addNews(tx, { ...what, user, key }))
const amount = parseUsdt('12.5')
const matured: News = { kind: 'plan_matured', facts: { amount } }

/** One example of every kind. */
const examples: Record<(typeof newsKinds)[number], News> = {
  deposit_credited: { kind: 'deposit_credited', facts: { amount, to: 'wallet' } },
  withdrawal_paid: { kind: 'withdrawal_paid', facts: { amount, tx_hash: `0x${'1'.repeat(64)}` } },
  withdrawal_refused: { kind: 'withdrawal_refused', facts: { amount } },
  withdrawal_returned: { kind: 'withdrawal_returned', facts: { amount } },
  reward_held: { kind: 'reward_held', facts: { amount } },
  reward_released: { kind: 'reward_released', facts: { amount } },
  reward_forfeited: { kind: 'reward_forfeited', facts: { amount } },
  plan_matured: matured,
  support_answered: { kind: 'support_answered', facts: {} },
  sign_in: { kind: 'sign_in', facts: { device: 'Chrome on Linux', at: new Date(0) } },
  wallet_change_asked: {
    kind: 'wallet_change_asked',
    facts: { wallet: `0x${'a'.repeat(40)}`, takes_effect_at: new Date(0) },
  },
  wallet_changed: { kind: 'wallet_changed', facts: { wallet: `0x${'a'.repeat(40)}` } },
  streak_at_risk: { kind: 'streak_at_risk', facts: { days: 3, ends_at: new Date(0) } },
  terms_changing: { kind: 'terms_changing', facts: { version: 2, takes_effect_at: new Date(0) } },
}
const on = { push: true, email: true, telegram: true }
const off = { push: false, email: false, telegram: false }
const allTopics = (choice: typeof on) =>
  Object.fromEntries(Object.keys(choicesOf()).map((topic) => [topic, choice])) as ReturnType<typeof choicesOf>

test.each(newsKinds)(
  '%s reaches browser, mailbox and chat exactly once, and none of them when it is switched off',
  async (kind) => {
    const [reader, deaf] = [await aReader(), await aReader()]
    await api.call(news.choose, { choices: allTopics(on), quiet: null }, reader.token)
    await api.call(news.choose, { choices: allTopics(off), quiet: null }, deaf.token)
    await tell(reader.number, 'k', examples[kind])
    await tell(reader.number, 'k', examples[kind])
    await tell(deaf.number, 'k', examples[kind])
    await deliverAll()
    await deliverAll()
    expect(service.received).toHaveLength(1)
    expect(mailServer.received.map(({ to }) => to)).toEqual([`${reader.username}@example.com`])
    expect(telegram.received.map(({ chat_id }) => chat_id)).toEqual([reader.number])
    const { data } = await api.call(news.list, {}, reader.token)
    expect(data).toHaveLength(1)
    expect(service.received[0]).toMatchObject({ title: data[0]?.title, text: data[0]?.text, link: data[0]?.link })
    expect(telegram.received[0]?.text).toContain(`${data[0]?.title}\n${data[0]?.text}\nhttps://play.example/`)
    expect(mailServer.received[0]?.raw).toContain(`Message-ID: <${data[0]?.id}@play.example>`)
    expect((await api.call(news.list, {}, deaf.token)).data).toHaveLength(1)
  },
)

test('after an hour without its provider, each channel delivers everything once, and the other channels never wait', async () => {
  const reader = await aReader()
  service.state.answer = 503
  for (let at = 0; at < 25; at++) await tell(reader.number, `a${at}`, matured)
  await deliverAll()
  expect([service.received.length, mailServer.received.length, telegram.received.length]).toEqual([0, 25, 25])
  mailServer.state.isDown = true
  telegram.state.answer = 502
  for (let at = 0; at < 25; at++) await tell(reader.number, `b${at}`, matured)
  for (let minute = 0; minute < 60; minute++) {
    await deliverAll()
    clock.addMs(MINUTE_MS)
  }
  expect([service.received.length, mailServer.received.length, telegram.received.length]).toEqual([0, 25, 25])
  service.state.answer = 201
  mailServer.state.isDown = false
  telegram.state.answer = 200
  for (let minute = 0; minute < 6; minute++) {
    await deliverAll()
    clock.addMs(MINUTE_MS)
  }
  expect(new Set(service.received.map(({ id }) => id)).size).toBe(50)
  expect([service.received.length, mailServer.received.length, telegram.received.length]).toEqual([50, 50, 50])
})

test('two workers send each message once', async () => {
  const reader = await aReader()
  for (let at = 0; at < 60; at++) await tell(reader.number, `k${at}`, matured)
  await Promise.all([deliverAll(), deliverAll(), deliverAll()])
  await deliverAll()
  expect(new Set(service.received.map(({ id }) => id)).size).toBe(60)
  expect([service.received.length, mailServer.received.length, telegram.received.length]).toEqual([60, 60, 60])
})

test('a worker that dies between sending and storing it sends again, under the same id', async () => {
  const reader = await aReader()
  await tell(reader.number, 'k', matured)
  await planNews(api.context)
  const dies: Send = async (message, to) => {
    await senders.push(message, to)
    return new Promise(() => {})
  }
  void deliverDue(api.context, 'push', dies)
  await expect.poll(() => service.received.length).toBe(1)
  // The row is claimed: no other worker sends it before the lease ends.
  await deliverDue(api.context, 'push', senders.push)
  expect(service.received).toHaveLength(1)
  clock.addMs(LEASE_MS + 1)
  await deliverAll()
  await deliverAll()
  expect(service.received).toHaveLength(2)
  expect(new Set(service.received.map(({ topic }) => topic)).size).toBe(1)
  expect(service.received[0]?.topic).toBe(service.received[0]?.id.replaceAll('-', ''))
})

test('quiet hours of the reader hold back all but news about safety, until they end', async () => {
  const reader = await aReader()
  await api.call(news.choose, { choices: choicesOf(), quiet: { from: '09:00', until: '12:00' } }, reader.token)
  clock.set('2026-03-05T10:00:00Z')
  await tell(reader.number, 'k', matured)
  await tell(reader.number, 'k', examples.sign_in)
  await deliverAll()
  expect(service.received.map(({ title }) => title)).toEqual(['New sign-in to your account'])
  expect((await api.call(news.list, {}, reader.token)).data).toHaveLength(2)
  clock.set('2026-03-05T11:59:00Z')
  await deliverAll()
  expect(service.received).toHaveLength(1)
  clock.set('2026-03-05T12:00:00Z')
  await deliverAll()
  expect(service.received).toHaveLength(2)
})

test('a browser that is gone is forgotten, and one whose session was ended gets nothing', async () => {
  const [reader, thief] = [await aReader(), await aReader()]
  service.state.answer = 410
  await tell(reader.number, 'k', matured)
  await deliverAll()
  const devices = (user: { token: string }) => api.call(news.settings, {}, user.token)
  expect((await devices(reader)).push?.devices).toBe(0)
  service.state.answer = 201
  await tell(thief.number, 'k', matured)
  await planNews(api.context)
  await api.context.db
    .updateTable('sessions')
    .set({ ended_at: new Date() })
    .where('user_number', '=', thief.number)
    .execute()
  await deliverAll()
  expect(service.received).toEqual([])
})

const pushRows = (user: number) =>
  api.context.db
    .selectFrom('news_deliveries')
    .selectAll()
    .where('user_number', '=', user)
    .where('channel', '=', 'push')
    .execute()

test('a push service that redirects is not followed', async () => {
  const reader = await aReader()
  service.state.answer = 302
  await tell(reader.number, 'k', matured)
  await deliverAll()
  expect(await pushRows(reader.number)).toMatchObject([{ sent_at: null, attempts: 1 }])
})

test.each(['publicKey', 'privateKey'] as const)(
  'a push message signed with another %s is refused by the push service, and sent later with the right keys',
  async (name) => {
    const { push } = api.context.config
    if (!push) throw new Error('no push settings')
    const wrong = createPushSender({ ...push, [name]: webPush.generateVAPIDKeys()[name] })
    const lines: string[] = []
    const log = createLog('warn', 'test', { write: (line) => void lines.push(line) })
    // The receiver's package prints why it refuses a signature.
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => printed.mockRestore())
    const reader = await aReader()
    await tell(reader.number, 'k', matured)
    await planNews(api.context)
    await deliverDue({ ...api.context, log }, 'push', wrong)
    expect(service.received).toEqual([])
    const next_at = new Date(clock.now().getTime() + retryMs(1))
    const [row] = await pushRows(reader.number)
    expect(row).toMatchObject({ sent_at: null, attempts: 1, next_at })
    expect(lines.join()).toContain('the push service answered 401')
    // The browser was not taken for one that has unsubscribed.
    expect((await api.call(news.settings, {}, reader.token)).push?.devices).toBe(1)
    clock.addMs(retryMs(1))
    await deliverAll()
    expect(service.received.filter(({ id }) => id === row?.news_id)).toHaveLength(1)
    expect(await pushRows(reader.number)).toMatchObject([{ sent_at: clock.now(), next_at: null, attempts: 2 }])
  },
)
