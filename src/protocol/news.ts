import { z } from 'zod'
import { address, id, txHash } from './ids.ts'
import { usdt } from './money.ts'
import { instant } from './time.ts'

export const newsId = id('news')

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
