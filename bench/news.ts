import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import webPush from 'web-push'
import type { NewsChannel } from '../src/protocol/news-choices.ts'
import { createContext } from '../src/server/context.ts'
import { newsLoops } from '../src/server/features/news/loops.ts'
import { systemClock } from '../src/server/platform/clock.ts'
import { readConfig } from '../src/server/platform/config.ts'
import { type Db, transaction } from '../src/server/platform/db.ts'
import { startLoops } from '../src/server/platform/loops.ts'
import { addNews } from '../src/server/platform/news.ts'
import { startMailServer, startPushService, startTelegram, TELEGRAM_TOKEN } from '../src/server/testing/receivers.ts'
import { benchSettings } from './api-process.ts'
import { type BenchDatabase, withBenchDatabase } from './database.ts'
import { type Row, report } from './report.ts'

/**
 * Adds news for readers who get them by push, e-mail and Telegram, and lets the worker's loops deliver them: first with all
 * providers alive, then with a push service that never answers. A delivery takes from the transaction that added the news
 * until the provider has accepted the message. The providers run in the same process as the loops.
 * `npm run bench:news -- --count 200`.
 */
const { values } = parseArgs({ options: { count: { type: 'string', default: '200' } } })
const COUNT = Number(values.count)
const EVERY_MS = 50
const READERS = 20
const SLOWEST_MS = 5_000
/** Messages that have not arrived by then count as lost. */
const PATIENCE_MS = 60_000

type Receivers = {
  push: Awaited<ReturnType<typeof startPushService>>
  mail: Awaited<ReturnType<typeof startMailServer>>
  telegram: Awaited<ReturnType<typeof startTelegram>>
}
/** What one channel did with the news of one phase. */
type Result = { channel: NewsChannel; arrived: number; twice: number; p50Ms: number; p99Ms: number; slowestMs: number }

async function run({ owner, urls, onEnd }: BenchDatabase): Promise<void> {
  const { publicKey, privateKey } = webPush.generateVAPIDKeys()
  const receivers: Receivers = {
    push: await startPushService(publicKey),
    mail: await startMailServer(),
    telegram: await startTelegram(),
  }
  const config = readConfig({
    ...benchSettings(urls.worker),
    ...{ PUSH_PUBLIC_KEY: publicKey, PUSH_PRIVATE_KEY: privateKey, PUSH_SERVICES: receivers.push.origin },
    ...{ SMTP_URL: receivers.mail.url, MAIL_FROM: 'news@example.com' },
    ...{ TELEGRAM_BOT: 'bench_bot', TELEGRAM_TOKEN, TELEGRAM_URL: receivers.telegram.url },
  })
  const { context, close } = createContext(config, 'bench', systemClock, { publishes: true })
  onEnd(close)
  await addReaders(owner, receivers.push)
  const loops = startLoops(newsLoops(context), context.log)
  onEnd(loops.stop)
  // Closed before the loops stop, because these wait for messages that are being sent.
  for (const { close } of Object.values(receivers)) onEnd(close)

  const phase = async (name: string, channels: NewsChannel[]) => {
    await addAll(context.db, name)
    await untilDelivered(owner, channels)
    const results: Result[] = []
    for (const channel of channels) results.push(await measure(owner, receivers, name, channel))
    for (const { channel, p50Ms, p99Ms, slowestMs } of results)
      console.log(`${name}: ${channel} p50 ${p50Ms} ms, p99 ${p99Ms} ms, slowest ${slowestMs} ms`)
    return results
  }
  const alive = await phase('alive', ['push', 'email', 'telegram'])
  receivers.push.state.beforeAnswer = () => new Promise(() => {})
  const hanging = await phase('hanging', ['email', 'telegram'])
  print(alive, hanging)
}

/** Inserts users with all three channels directly: connecting them is not measured here. */
async function addReaders(owner: pg.Client, { subscribe }: Receivers['push']): Promise<void> {
  const devices = await Promise.all(
    Array.from({ length: READERS }, async (_, at) => ({ user: at + 1, ...(await subscribe()) })),
  )
  await owner.query(
    `insert into users (id, username, wallet_address, referral_code)
     select new_id(), 'reader_' || n, '0x' || lpad(to_hex(n), 40, '0'), upper(lpad(to_hex(n), 8, '0'))
     from generate_series(1, $1::int) as n`,
    [READERS],
  )
  await owner.query(`insert into sessions (id, user_number, token_hash)
    select new_id(), number, sha256(username::bytea) from users`)
  await owner.query(
    `insert into news_devices (id, user_number, session_id, endpoint, p256dh, auth)
     select new_id(), s.user_number, s.id, d.endpoint, d.p256dh, d.auth
     from jsonb_to_recordset($1) as d ("user" int, endpoint text, p256dh text, auth text)
     join sessions s on s.user_number = d."user"`,
    [JSON.stringify(devices)],
  )
  await owner.query(`insert into news_emails (user_number, address, stop_key, confirmed_at)
    select number, username || '@example.com', username, now() from users`)
  await owner.query('insert into news_chats (user_number, chat_id, added_at) select number, number, now() from users')
}

/** News of a sign-in go to all channels at any hour. The name of the device makes each one recognisable. */
async function addAll(db: Db, phase: string): Promise<void> {
  const began = performance.now()
  for (let at = 0; at < COUNT; at++) {
    await sleep(Math.max(0, began + at * EVERY_MS - performance.now()))
    const facts = { device: `bench-${phase}-${at}`, at: new Date() }
    const user = 1 + (at % READERS)
    await transaction(db, (tx) => addNews(tx, { kind: 'sign_in', facts, user, key: `${phase} ${at}` }))
  }
}

/** Waits until no message is due any more. Then none is sent again either. */
async function untilDelivered(owner: pg.Client, channels: NewsChannel[]): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await sleep(100)) {
    const { rows } = await owner.query<{ open: boolean }>(
      `select exists (select from news where not planned)
         or exists (select from news_deliveries where channel = any ($1) and next_at is not null) as open`,
      [channels],
    )
    if (!rows[0]?.open) return
  }
}

async function measure(owner: pg.Client, receivers: Receivers, phase: string, channel: NewsChannel): Promise<Result> {
  const texts = {
    push: receivers.push.received.map(({ text }) => text),
    // Long lines of an e-mail are wrapped.
    email: receivers.mail.received.map(({ raw }) => raw.replaceAll('=\r\n', '')),
    telegram: receivers.telegram.received.map(({ text }) => text),
  }[channel]
  const found = texts.flatMap((text) => new RegExp(`bench-${phase}-\\d+`).exec(text) ?? [])
  const { rows } = await owner.query<{ ms: number }>(
    `select (extract(epoch from d.sent_at - n.created_at) * 1000)::int as ms from news_deliveries d
     join news n on n.id = d.news_id where d.channel = $1 and n.key like $2 and d.sent_at is not null order by ms`,
    [channel, `${phase} %`],
  )
  const at = (share: number) => rows[Math.ceil(rows.length * share) - 1]?.ms ?? Number.NaN
  const arrived = new Set(found).size
  return { channel, arrived, twice: found.length - arrived, p50Ms: at(0.5), p99Ms: at(0.99), slowestMs: at(1) }
}

function print(alive: Result[], hanging: Result[]): void {
  const emailMs = (results: Result[]) => results.find(({ channel }) => channel === 'email')?.p99Ms ?? Number.NaN
  const all = [...alive, ...hanging]
  const arrived = (results: Result[], when: string): Row[] =>
    results.map((result) => ({
      name: `messages that arrived by ${result.channel} ${when} ÷ sent`,
      ratio: result.arrived / COUNT,
      atLeast: 1,
    }))
  report([
    {
      name: 'slowest delivery ÷ 5 s',
      ratio: Math.max(...all.map(({ slowestMs }) => slowestMs)) / SLOWEST_MS,
      atMost: 1,
    },
    { name: 'p99 of e-mail with push hanging ÷ without', ratio: emailMs(hanging) / emailMs(alive), atMost: 1.5 },
    ...arrived(alive, 'with all providers alive'),
    ...arrived(hanging, 'with push hanging'),
    {
      name: 'messages that arrived twice ÷ sent',
      ratio: all.reduce((sum, { twice }) => sum + twice, 0) / (COUNT * all.length),
      atMost: 0,
    },
  ])
}

await withBenchDatabase(run)
