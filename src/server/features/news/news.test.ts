import { afterAll, beforeAll, expect, test } from 'vitest'
import { news } from '../../../protocol/news.ts'
import { choicesOf, sendTimeOf } from '../../../protocol/news-choices.ts'
import { transaction } from '../../platform/db.ts'
import { addNews } from '../../platform/news.ts'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'
import { createTestClock } from '../../testing/plans.ts'
import { startMailServer } from '../../testing/receivers.ts'
import { deliverDue } from './deliver.ts'
import { isPushService } from './devices.ts'
import { createMailer } from './mail.ts'
import { planNews } from './plan.ts'
import { sendCodes } from './send-codes.ts'

const clock = createTestClock('2026-03-04T10:00:00Z')
let api: TestApi
let mailServer: Awaited<ReturnType<typeof startMailServer>>
let mailer: ReturnType<typeof createMailer>
beforeAll(async () => {
  mailServer = await startMailServer()
  const settings = { PUSH_PUBLIC_KEY: 'B'.repeat(87), SMTP_URL: mailServer.url, MAIL_FROM: 'news@example.com' }
  api = await createTestApi({ clock, settings })
  mailer = createMailer({ url: mailServer.url, from: 'news@example.com' }, 'https://play.example')
})
afterAll(async () => {
  await api.close()
  await mailServer.close()
})

const tell = (user: number, ...keys: string[]) =>
  transaction(api.context.db, (tx) =>
    addNews(tx, ...keys.map((key) => ({ kind: 'support_answered' as const, user, key, facts: {} }))),
  )
const wire = (id: string | undefined) => `news_${id}`

test('the inbox has twenty news at a time, newest first, and marks what was read', async () => {
  const user = await aUser(api)
  for (let at = 0; at < 45; at++) await tell(user.number, `k${at}`)
  const first = await api.call(news.list, {}, user.token)
  const second = await api.call(news.list, { before: wire(first.data.at(-1)?.id) }, user.token)
  const third = await api.call(news.list, { before: wire(second.data.at(-1)?.id) }, user.token)
  const ids = [first, second, third].flatMap(({ data }) => data.map(({ id }) => id))
  expect([first, second, third].map(({ data, has_more }) => [data.length, has_more])).toEqual([
    [20, true],
    [20, true],
    [5, false],
  ])
  expect(ids).toEqual([...new Set(ids)].toSorted().reverse())
  expect(first.unread).toBe(45)
  expect((await api.call(news.read, { news_id: wire(ids[0]) }, user.token)).unread).toBe(44)
  // What came after the page was read stays unread.
  await tell(user.number, 'later')
  expect((await api.call(news.readAll, { up_to: wire(ids[0]) }, user.token)).unread).toBe(1)
  expect((await api.call(news.unread, {}, user.token)).unread).toBe(1)
})

test("another user's news can be neither read nor marked", async () => {
  const [owner, thief] = [await aUser(api), await aUser(api)]
  await tell(owner.number, 'k')
  const [item] = (await api.call(news.list, {}, owner.token)).data
  const refused = await api.send('POST', '/news/read/', { news_id: wire(item?.id) }, { token: thief.token })
  expect(refused).toMatchObject({ status: 404 })
  await api.call(news.readAll, { up_to: wire('ffffffff-ffff-7fff-bfff-ffffffffffff') }, thief.token)
  expect((await api.call(news.list, {}, thief.token)).data).toEqual([])
  expect((await api.call(news.unread, {}, owner.token)).unread).toBe(1)
})

const codeIn = (raw = '') => /^Subject: (\d{6}) is/m.exec(raw)?.[1] ?? ''

/** Confirms an address and returns its last e-mail. */
async function aMailbox(token: string, address: string): Promise<void> {
  await api.call(news.addEmail, { address }, token)
  await sendCodes(api.context, mailer)
  await api.call(news.confirmEmail, { code: codeIn(mailServer.received.at(-1)?.raw) }, token)
}
const sendNews = async () => {
  await planNews(api.context)
  await deliverDue(api.context, 'email', mailer.sendNews)
}

test('an address gets nothing but a code before it is confirmed, and a code can be tried five times', async () => {
  const user = await aUser(api)
  mailServer.received.length = 0
  await api.call(news.addEmail, { address: 'ana@example.com' }, user.token)
  await tell(user.number, 'before')
  await sendNews()
  await sendCodes(api.context, mailer)
  expect(mailServer.received.map(({ raw }) => codeIn(raw) !== '')).toEqual([true])
  const right = codeIn(mailServer.received[0]?.raw)
  const wrong = right === '000000' ? '000001' : '000000'
  const attempt = async (code: string) =>
    (await api.send('POST', '/news/email/confirm/', { code }, { token: user.token })).body.code
  const codes = await Promise.all(Array.from({ length: 8 }, () => attempt(wrong)))
  expect(codes.filter((code) => code === 'limit_reached').length).toBeGreaterThanOrEqual(3)
  expect(await attempt(right)).toBe('limit_reached')
  expect((await api.call(news.settings, {}, user.token)).email).toEqual({ address: null, waiting: 'ana@example.com' })
})

test('one mailbox gets at most five codes a day, also when several users ask', async () => {
  const asked: string[] = []
  for (let at = 0; at < 7; at++) {
    const { token } = await aUser(api)
    const { body } = await api.send('POST', '/news/email/', { address: 'Victim@example.com' }, { token })
    asked.push(String(body.code ?? 'sent'))
  }
  expect(asked).toEqual([...Array(5).fill('sent'), 'limit_reached', 'limit_reached'])
})

test('nothing that a user writes becomes a header of an e-mail', async () => {
  const user = await aUser(api)
  for (const address of ['a@b.co\r\nBcc: x@y.co', 'a@b.co,x@y.co', '"a\nSubject: x"@b.co', 'a@b.co>'])
    expect((await api.send('POST', '/news/email/', { address }, { token: user.token })).status).toBe(400)
  // Even an address that reached the table in another way stays one address.
  await aMailbox(user.token, 'plain@example.com')
  await api.context.db
    .updateTable('news_emails')
    .set({ address: 'plain@example.com\r\nBcc: thief@example.com' })
    .where('user_number', '=', user.number)
    .execute()
  mailServer.received.length = 0
  await tell(user.number, 'k')
  await sendNews()
  for (const { to, raw } of mailServer.received) {
    expect(to).not.toContain('thief@example.com,')
    expect(raw).not.toMatch(/^Bcc:/im)
  }
})

test('the link in an e-mail stops e-mails without signing in, once, and reveals nothing', async () => {
  const user = await aUser(api)
  await aMailbox(user.token, 'stop@example.com')
  mailServer.received.length = 0
  await tell(user.number, 'k')
  await sendNews()
  const raw = mailServer.received[0]?.raw.replace(/\r\n[ \t]+/g, ' ') ?? ''
  expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m)
  const [, path = ''] =
    /^List-Unsubscribe: <https:\/\/play\.example(\/api\/news\/stop\/[\w-]{22})>\r?$/m.exec(raw) ?? []
  const tap = (url: string) =>
    api.http.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    })
  // A mail program that only opens the link changes nothing.
  expect((await api.http.inject({ method: 'GET', url: path })).statusCode).toBe(405)
  expect((await api.call(news.settings, {}, user.token)).email?.address).toBe('stop@example.com')
  const replies = [await tap(path), await tap(path), await tap(`/api/news/stop/${'A'.repeat(22)}`)]
  expect(new Set(replies.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
  expect(replies[0]?.statusCode).toBe(200)
  expect((await api.call(news.settings, {}, user.token)).email?.address).toBeNull()
  // An old link does not stop a new confirmation.
  await aMailbox(user.token, 'again@example.com')
  await tap(path)
  expect((await api.call(news.settings, {}, user.token)).email?.address).toBe('again@example.com')
})

test('pushes go to known push services only, over https', async () => {
  const services = ['fcm.googleapis.com', '*.push.apple.com']
  const allowed = ['https://fcm.googleapis.com/fcm/send/x', 'https://web.push.apple.com/x']
  const refused = [
    ...[
      'http://fcm.googleapis.com/x',
      'https://fcm.googleapis.com:8443/x',
      'https://fcm.googleapis.com.evil.example/x',
    ],
    ...['https://evilpush.apple.com/x', 'https://push.apple.com/x', 'https://user@fcm.googleapis.com/x'],
    ...['https://127.0.0.1/x', 'https://[::1]/x', 'https://169.254.169.254/latest/meta-data', 'file:///etc/passwd'],
    ...['https://fcm.googleapis.com@127.0.0.1/x', 'ftp://fcm.googleapis.com/x', 'https://localhost/x'],
  ]
  expect(allowed.filter((url) => !isPushService(url, services))).toEqual([])
  expect(refused.filter((url) => isPushService(url, services))).toEqual([])
  const { token } = await aUser(api)
  for (const endpoint of refused) {
    const keys = { p256dh: 'B'.repeat(87), auth: 'B'.repeat(22) }
    expect((await api.send('POST', '/news/push/', { endpoint, ...keys }, { token })).status).toBe(400)
  }
})

test('quiet hours follow the clock of the user, also when it changes during the night', () => {
  const quiet = { from: '22:00', until: '07:00' }
  const at = (time: string, zone: string) => sendTimeOf('plan_matured', new Date(time), quiet, zone).toISOString()
  expect(at('2026-03-04T20:59:30Z', 'Europe/Berlin')).toBe('2026-03-04T20:59:30.000Z')
  expect(at('2026-03-04T21:00:30Z', 'Europe/Berlin')).toBe('2026-03-05T06:00:00.000Z')
  expect(at('2026-03-04T18:00:00Z', 'Asia/Tokyo')).toBe('2026-03-04T22:00:00.000Z')
  expect(at('2026-03-28T23:00:00Z', 'Europe/Berlin')).toBe('2026-03-29T05:00:00.000Z')
  expect(sendTimeOf('sign_in', new Date('2026-03-04T23:00:00Z'), quiet).toISOString()).toBe('2026-03-04T23:00:00.000Z')
  expect(choicesOf({}).security).toEqual({ push: true, email: true, telegram: true })
  // Stored before there was Telegram.
  expect(choicesOf({ streak: { push: false, email: true } }).streak).toEqual({
    push: false,
    email: true,
    telegram: true,
  })
})
