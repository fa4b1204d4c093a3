import { expect, it } from 'vitest'
import { parseUsdt } from './money.ts'
import { decodeFacts, encodeFacts, type News, newsKinds, newsTopics } from './news.ts'
import { newsWords } from './news-words.ts'

const at = new Date('2026-03-04T22:30:00Z')
const amount = parseUsdt('1234.5')
const wallet = `0x${'ab'.repeat(20)}` as const

const examples: News[] = [
  { kind: 'deposit_credited', facts: { amount, to: 'wallet' } },
  { kind: 'withdrawal_paid', facts: { amount, tx_hash: `0x${'1'.repeat(64)}` } },
  { kind: 'withdrawal_refused', facts: { amount } },
  { kind: 'withdrawal_returned', facts: { amount } },
  { kind: 'reward_held', facts: { amount } },
  { kind: 'reward_released', facts: { amount } },
  { kind: 'reward_forfeited', facts: { amount } },
  { kind: 'plan_matured', facts: { amount } },
  { kind: 'support_answered', facts: {} },
  { kind: 'sign_in', facts: { device: 'Chrome on Android', at } },
  { kind: 'wallet_change_asked', facts: { wallet, takes_effect_at: at } },
  { kind: 'wallet_changed', facts: { wallet } },
  { kind: 'streak_at_risk', facts: { days: 12, ends_at: at } },
  { kind: 'terms_changing', facts: { version: 2, takes_effect_at: at } },
]

it('has an example of every kind, and a topic for each', () => {
  expect(examples.map(({ kind }) => kind).toSorted()).toEqual(newsKinds.toSorted())
  expect(Object.values(newsTopics).flat().toSorted()).toEqual(newsKinds.toSorted())
})

it.each(examples)('$kind survives the database, and every amount has its unit', (news) => {
  expect(decodeFacts(news.kind, JSON.parse(JSON.stringify(encodeFacts(news))))).toEqual(news)
  const { title, text, link } = newsWords(news)
  if ('amount' in news.facts) expect(`${title} ${text}`).toContain('1,234.5 USDT')
  expect(link).toMatch(/^\/(user\/[a-z0-9-]+|terms)$/)
  expect(title.length + text.length).toBeLessThan(180)
})

it('shows times in the zone of the reader, and in UTC without one', () => {
  const streak: News = { kind: 'streak_at_risk', facts: { days: 1, ends_at: at } }
  expect(newsWords(streak, 'Asia/Tokyo').text).toBe('Close a ring by 07:30 to keep your 1-day streak.')
  expect(newsWords(streak).text).toBe('Close a ring by 22:30 UTC to keep your 1-day streak.')
  const signIn: News = { kind: 'sign_in', facts: { device: 'Safari on iOS', at } }
  expect(newsWords(signIn, 'Asia/Tokyo').text).toMatch(/^Safari on iOS, 5 March 2026, 07:30\. /)
})

it('refuses facts of another kind', () => {
  expect(() => decodeFacts('plan_matured', { days: 3 })).toThrow()
  expect(() => decodeFacts('deposit_credited', { amount: '1.0000001', to: 'wallet' })).toThrow()
})
