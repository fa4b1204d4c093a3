import { figureText } from './figures.ts'
import { formatUsdt, type Usdt } from './money.ts'
import type { News, NewsFacts, NewsKind } from './news.ts'
import { shortAddress } from './short-address.ts'
import { termsDateText } from './terms-words.ts'
import { UTC } from './time-zones.ts'

/** What a piece of news says, and the page it leads to. */
export type NewsWords = { title: string; text: string; link: string }

type Writers = { [Kind in NewsKind]: (facts: NewsFacts[Kind], zone: string | undefined) => NewsWords }

const money = (amount: Usdt): string => {
  const [whole = '', decimals] = formatUsdt(amount).split('.')
  return `${figureText(whole)}${decimals ? `.${decimals}` : ''} USDT`
}

const timeText = (at: Date, zone: string | undefined): string => {
  const date = { day: 'numeric', month: 'long', year: 'numeric' } as const
  const clock = { hour: '2-digit', minute: '2-digit', timeZone: zone ?? UTC } as const
  return `${at.toLocaleString('en-GB', { ...date, ...clock }).replace(' at ', ', ')}${zone ? '' : ' UTC'}`
}

const hourText = (at: Date, zone: string | undefined): string =>
  `${at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: zone ?? UTC })}${zone ? '' : ' UTC'}`

const deposits = {
  wallet: { text: 'It is in your wallet balance.', link: '/user/wallet' },
  plan: { text: 'Your plan has started.', link: '/user/plans' },
  bet: { text: 'It is in your bet wallet.', link: '/user/color-game' },
} as const

const withdrawals = '/user/withdrawal-history'
const referrals = '/user/referal'
const profile = '/user/profile'

const writers: Writers = {
  deposit_credited: ({ amount, to }) => ({ title: `${money(amount)} arrived`, ...deposits[to] }),
  withdrawal_paid: ({ amount }) => ({
    title: `${money(amount)} paid`,
    text: 'Your withdrawal is final on chain.',
    link: withdrawals,
  }),
  withdrawal_refused: ({ amount }) => ({
    title: 'Withdrawal refused',
    text: `${money(amount)} is back in your balance. The history says why.`,
    link: withdrawals,
  }),
  withdrawal_returned: ({ amount }) => ({
    title: 'Withdrawal returned',
    text: `It could not be paid on chain, so ${money(amount)} is back in your balance.`,
    link: withdrawals,
  }),
  reward_held: ({ amount }) => ({
    title: 'A reward is on hold',
    text: `We are checking a referral reward of ${money(amount)}. You can appeal.`,
    link: referrals,
  }),
  reward_released: ({ amount }) => ({
    title: 'A reward was released',
    text: `${money(amount)} is in your referral balance again.`,
    link: referrals,
  }),
  reward_forfeited: ({ amount }) => ({
    title: 'A reward will not be paid',
    text: `We checked the referral reward of ${money(amount)} that was on hold. The referral page says why.`,
    link: referrals,
  }),
  plan_matured: ({ amount }) => ({
    title: 'Your plan has matured',
    text: `${money(amount)} is back in your wallet balance.`,
    link: '/user/plans',
  }),
  support_answered: () => ({
    title: 'We answered your request',
    text: 'Open it to read the answer and reply.',
    link: '/user/healthsupport',
  }),
  sign_in: ({ device, at }, zone) => ({
    title: 'New sign-in to your account',
    text: `${device}, ${timeText(at, zone)}. If this was not you, end all sessions on your profile.`,
    link: profile,
  }),
  wallet_change_asked: ({ wallet, takes_effect_at }, zone) => ({
    title: 'Your wallet is about to change',
    text: `To ${shortAddress(wallet)} on ${timeText(takes_effect_at, zone)}. If you did not ask for this, stop it on your profile.`,
    link: profile,
  }),
  wallet_changed: ({ wallet }) => ({
    title: 'Your wallet has changed',
    text: `You now sign in with ${shortAddress(wallet)}, and withdrawals go there.`,
    link: profile,
  }),
  streak_at_risk: ({ days, ends_at }, zone) => ({
    title: 'Your streak ends today',
    text: `Close a ring by ${hourText(ends_at, zone)} to keep your ${days === 1 ? '1-day' : `${days}-day`} streak.`,
    link: '/user/games2',
  }),
  terms_changing: ({ takes_effect_at }) => ({
    title: 'Our terms are changing',
    text: `From ${termsDateText(takes_effect_at)}. See what changes.`,
    link: '/terms',
  }),
}

/** The text of a piece of news. Times are in the reader's zone; without one, in UTC. Dates of terms are always UTC. */
export const newsWords = ({ kind, facts }: News, zone?: string | undefined): NewsWords =>
  (writers[kind] as (facts: News['facts'], zone: string | undefined) => NewsWords)(facts, zone)
