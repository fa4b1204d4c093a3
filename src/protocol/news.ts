import { z } from 'zod'
import { address, id, txHash } from './ids.ts'
import { usdt } from './money.ts'
import { nothing, route, success } from './route.ts'
import { instant } from './time.ts'

const newsId = id('news')

const amount = z.strictObject({ amount: usdt })

/**
 * The facts of each kind of news. Texts are made from them when they are shown (news-words.ts), so that times follow the
 * reader's zone. No fact is free text, because texts also go to lock screens and into e-mails.
 */
const facts = {
  /** `to`: what the payment was for. */
  deposit_credited: z.strictObject({ amount: usdt, to: z.enum(['wallet', 'plan', 'bet']) }),
  withdrawal_paid: z.strictObject({ amount: usdt, tx_hash: txHash }),
  withdrawal_refused: amount,
  /** It could not be paid on chain, so the money is back. */
  withdrawal_returned: amount,
  reward_held: amount,
  reward_released: amount,
  reward_forfeited: amount,
  plan_matured: amount,
  support_answered: z.strictObject({}),
  sign_in: z.strictObject({ device: z.string().max(60), at: instant }),
  wallet_change_asked: z.strictObject({ wallet: address, takes_effect_at: instant }),
  wallet_changed: z.strictObject({ wallet: address }),
  streak_at_risk: z.strictObject({ days: z.int().min(1), ends_at: instant }),
  terms_changing: z.strictObject({ version: z.int(), takes_effect_at: instant }),
} as const

export type NewsKind = keyof typeof facts
export const newsKinds = Object.keys(facts) as NewsKind[]
export type NewsFacts = { [Kind in NewsKind]: z.output<(typeof facts)[Kind]> }
/** One piece of news, as a kind with its facts. */
export type News = { [Kind in NewsKind]: { kind: Kind; facts: NewsFacts[Kind] } }[NewsKind]

export const encodeFacts = ({ kind, facts: values }: News): unknown => z.encode(facts[kind] as z.ZodType, values)
export const decodeFacts = (kind: NewsKind, encoded: unknown): News =>
  ({ kind, facts: z.decode(facts[kind] as z.ZodType, encoded) }) as News

/** What users choose channels for: kinds that belong together. */
export const newsTopics = {
  deposits: ['deposit_credited'],
  withdrawals: ['withdrawal_paid', 'withdrawal_refused', 'withdrawal_returned'],
  rewards: ['reward_held', 'reward_released', 'reward_forfeited'],
  plans: ['plan_matured'],
  support: ['support_answered'],
  security: ['sign_in', 'wallet_change_asked', 'wallet_changed'],
  streak: ['streak_at_risk'],
  terms: ['terms_changing'],
} as const satisfies Record<string, NewsKind[]>
export type NewsTopic = keyof typeof newsTopics

export const topicOf = (kind: NewsKind): NewsTopic =>
  (Object.keys(newsTopics) as NewsTopic[]).find((topic) => (newsTopics[topic] as readonly NewsKind[]).includes(kind)) ??
  'security'

const item = z.strictObject({
  id: newsId,
  kind: z.enum(newsKinds),
  title: z.string(),
  text: z.string(),
  /** A path of the app. */
  link: z.string(),
  created_at: instant,
  is_read: z.boolean(),
})
export type NewsItem = z.output<typeof item>

/** Beyond this, the bell shows 99+. */
export const UNREAD_MAX = 100
const unread = z.int().min(0).max(UNREAD_MAX)

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'A time such as 22:00')
const quiet = z
  .strictObject({ from: time, until: time })
  .refine(({ from, until }) => from !== until, 'Quiet hours need a beginning and an end that differ')
const choice = z.strictObject({ push: z.boolean(), email: z.boolean(), telegram: z.boolean() })
const choices = z.strictObject(
  Object.fromEntries(Object.keys(newsTopics).map((topic) => [topic, choice])) as Record<NewsTopic, typeof choice>,
)

const EMAIL_CHARS_MAX = 254
export const CODE_DIGITS = 6
const emailAddress = z.email('Enter an e-mail address such as ana@example.com').max(EMAIL_CHARS_MAX)
/** 128 random bits: only the receiver of our e-mails knows it. */
const stopKey = z.string().regex(/^[\w-]{22}$/, 'Not a link of ours')

const base64url = (bytes: number) =>
  z.string().regex(new RegExp(`^[\\w-]{${Math.ceil((bytes * 4) / 3)}}=*$`), 'Not the key of a browser')
const ENDPOINT_CHARS_MAX = 1_000
/** Only visible ASCII: the parser of addresses accepts more, such as a zero byte, which the database does not. */
const endpoint = z
  .url('Not the address of a push service')
  .regex(/^[!-~]+$/, 'Not the address of a push service')
  .max(ENDPOINT_CHARS_MAX)

/** Channels are about telling the user, not about money. A frozen account may read and change them, too. */
const changing = { method: 'POST', auth: 'user', changes: true, evenFrozen: true, limit: 'play' } as const

export const news = {
  list: route({
    method: 'POST',
    path: '/news/',
    summary: 'Your news, newest first, twenty at a time. `before` continues after the last one',
    auth: 'user',
    input: z.strictObject({ before: newsId.optional() }),
    output: success({ data: z.array(item), unread, has_more: z.boolean() }),
  }),
  unread: route({
    method: 'GET',
    path: '/news/unread/',
    summary: 'How many of your news are unread, up to a hundred',
    auth: 'user',
    input: nothing,
    output: success({ unread }),
  }),
  read: route({
    ...changing,
    path: '/news/read/',
    summary: 'Mark one of your news as read',
    input: z.strictObject({ news_id: newsId }),
    output: success({ unread }),
    errors: ['not_found'],
  }),
  readAll: route({
    ...changing,
    path: '/news/read-all/',
    summary: 'Mark news as read: this one and all older ones',
    input: z.strictObject({ up_to: newsId }),
    output: success({ unread }),
  }),
  settings: route({
    method: 'GET',
    path: '/news/settings/',
    summary: 'Your channels for news and your quiet hours. A channel that this installation does not have is null',
    auth: 'user',
    input: nothing,
    output: success({
      choices,
      quiet: quiet.nullable(),
      zone: z.string().nullable(),
      /** `key` is what browsers subscribe with (VAPID). `here`: the browser of this session gets messages. */
      push: z.strictObject({ key: z.string(), devices: z.int(), here: z.boolean() }).nullable(),
      email: z.strictObject({ address: z.string().nullable(), waiting: z.string().nullable() }).nullable(),
      telegram: z.strictObject({ connected: z.boolean() }).nullable(),
    }),
  }),
  choose: route({
    ...changing,
    path: '/news/settings/',
    summary: 'Choose the channels of each topic, and your quiet hours',
    input: z.strictObject({ choices, quiet: quiet.nullable() }),
    output: success({}),
  }),
  addDevice: route({
    ...changing,
    path: '/news/push/',
    summary: 'Send news to this browser by web push, until you stop it or the session ends',
    input: z.strictObject({ endpoint, p256dh: base64url(65), auth: base64url(16) }),
    output: success({}),
    errors: ['not_eligible', 'limit_reached'],
  }),
  stopPush: route({
    ...changing,
    path: '/news/push/stop/',
    summary: 'Stop web push to one browser; without an endpoint to all of them',
    input: z.strictObject({ endpoint: endpoint.optional() }),
    output: success({}),
  }),
  addEmail: route({
    ...changing,
    limit: 'money',
    path: '/news/email/',
    summary: 'Ask for a code to confirm an e-mail address. Nothing else is sent to it before',
    input: z.strictObject({ address: emailAddress }),
    output: success({}),
    errors: ['not_eligible', 'limit_reached'],
  }),
  confirmEmail: route({
    ...changing,
    limit: 'money',
    path: '/news/email/confirm/',
    summary: 'Confirm your e-mail address with the code that was sent to it',
    input: z.strictObject({ code: z.string().regex(/^\d{6}$/, `The code has ${CODE_DIGITS} digits`) }),
    output: success({}),
    errors: ['not_eligible', 'limit_reached'],
  }),
  stopEmail: route({
    ...changing,
    path: '/news/email/stop/',
    summary: 'Stop e-mails and delete the address',
    input: nothing,
    output: success({}),
  }),
  addTelegram: route({
    ...changing,
    limit: 'money',
    path: '/news/telegram/',
    summary: 'A link that opens our Telegram bot and connects your chat. It works once, for a quarter of an hour',
    input: nothing,
    output: success({ link: z.string() }),
    errors: ['not_eligible'],
  }),
  stopTelegram: route({
    ...changing,
    path: '/news/telegram/stop/',
    summary: 'Stop messages by Telegram and delete the chat',
    input: nothing,
    output: success({}),
  }),
  unsubscribe: route({
    method: 'POST',
    path: '/news/unsubscribe/{key}/',
    summary: 'Stop e-mails with the link in one of them, without signing in. The reply is the same for every key',
    auth: 'none',
    limit: 'play',
    input: z.strictObject({ key: stopKey }),
    output: success({}),
  }),
}
