import type { Page } from '@playwright/test'
import type { CallKey } from '../../src/protocol/routes.ts'
import { remember } from './remembered.ts'

/** The calls that each page makes when it opens, or its tab after the #. A call that is not here fails the test. */
const shell: CallKey[] = [
  'POST /detail/',
  'POST /process_rewards/',
  'POST /auth/me/',
  'GET /trust/halt/',
  'POST /wellness/today/',
  'GET /news/unread/',
]
const terms: CallKey[] = ['GET /terms/']
const wallet: CallKey[] = ['GET /chain/', 'POST /rpc/']
const team: CallKey[] = [...terms, 'POST /referral_summary/', 'POST /direct_referral_tree/', 'POST /royalty_summary/']
export const pages: Record<string, CallKey[]> = {
  '/login/register': ['GET /chain/'],
  '/referral/ABCD2345': ['GET /chain/', 'GET /auth/sponsor/{referral_code}/'],
  '/trust': ['GET /trust/summary/', 'GET /colour/fairness/', ...wallet],
  '/terms': terms,
  '/play/quiz': [],
  '/s/AAAAAAAAAAAAAAAAAAAAAA': ['GET /share/{token}/'],
  '/play/colour': [...terms, 'GET /colour/running/', 'GET /games/', 'GET /colour/fairness/'],
  '/user/news': [...shell, 'POST /news/'],
  '/unsubscribe/AAAAAAAAAAAAAAAAAAAAAA': [],
  '/user/home': [...shell, ...wallet, 'GET /quiz/', 'GET /bet_history/'],
  '/user/games2': [...shell, 'POST /wellness/history/', 'POST /wellness/friends/'],
  '/user/quize-game': [...shell, 'GET /quiz/', 'GET /quiz/leaderboard/'],
  '/user/profile': [
    ...shell,
    'POST /auth/sessions/',
    'POST /wallet_change/',
    'GET /colour/limits/',
    'POST /referral_summary/',
    'GET /quiz/leaderboard/',
    'POST /wellness/friends/',
    'GET /news/settings/',
  ],
  '/user/referal': [...shell, ...team],
  '/user/referal#Direct': [...shell, ...team, 'POST /Direct_referral_list/'],
  '/user/referal#Levels': [...shell, ...team, 'POST /business_performance/'],
  '/user/referal#Everyone': [...shell, ...team, 'POST /referral_details/'],
  '/user/referal#Rewards': [...shell, ...team, 'POST /Referral_history/', 'POST /referral_holds/'],
  '/user/plans': [...shell, ...terms, ...wallet, 'GET /plans/', 'POST /planhistory/', 'POST /declaration/'],
  '/user/re-top-up': [...shell, ...terms, 'POST /declaration/'],
  '/user/re-top-up-history': [...shell, 'POST /planhistory/'],
  '/user/withdrawal': [...shell, ...terms, 'POST /withdraw_terms/', 'POST /withdraw_history/'],
  '/user/internal-transfer': [...shell, ...terms, 'POST /internal_transfer_history/'],
  '/user/wallet': [
    ...shell,
    ...wallet,
    'POST /BNBStaus_update/',
    'POST /wallet_deposits/',
    'GET /market/',
    'GET /betwallet_history/',
  ],
  '/user/balance': [
    ...shell,
    ...wallet,
    'POST /timeline/',
    'POST /statement/',
    'POST /roiearning_history/',
    'GET /betwallet_history/',
  ],
  '/user/withdrawal-history': [...shell, 'POST /withdraw_history/'],
  '/user/internal-transfer-history': [...shell, 'POST /internal_transfer_history/'],
  '/user/color-game': [
    ...shell,
    'POST /declaration/',
    ...terms,
    'GET /active-game/',
    'GET /games/',
    'GET /colour/fairness/',
    'GET /bet_history/',
    'GET /betwallet_history/',
    'GET /colour/limits/',
  ],
  '/user/healthsupport': [...shell, ...terms, 'POST /support/health/', 'POST /support/requests/'],
}

/** `wallet` is the balance that the server is made to report, for actions that need money. */
export type Act = { on: string; act: (page: Page) => Promise<void>; wallet?: string }

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name, exact: true }).click()
const turnSwitch = (name: string) => (page: Page) => page.getByRole('switch', { name }).click()

/** What makes a page send a call that it does not send when it opens. */
export const acts: Partial<Record<CallKey, Act>> = {
  'POST /auth/nonce/': { on: '/login/register', act: press('Start with a demo wallet') },
  'POST /auth/login/': {
    on: '/login/register',
    // A browser that remembers no demo wallet registers its new one without trying to sign in.
    act: async (page) => {
      await page.getByRole('button', { name: 'Start with a demo wallet', disabled: false }).waitFor()
      await remember(page, { id: 'app.wellplay.demo', name: 'Demo wallet', address: '0x1234...abcd' })
      await page.reload()
      await press('Sign in as 0x1234...abcd')(page)
      await press(/^Sign in as 0x(?!1234)/)(page)
    },
  },
  'POST /auth/register/': { on: '/login/register', act: press('Start with a demo wallet') },
  'POST /auth/logout_everywhere/': {
    on: '/user/profile',
    act: async (page) => {
      await press('Sign out everywhere')(page)
      await page.getByRole('dialog').getByRole('button', { name: 'Sign out', exact: true }).click()
    },
  },
  'POST /auth/avatar/': {
    on: '/user/profile',
    act: async (page) => {
      await press('Change avatar')(page)
      await page.getByRole('radio', { name: 'Cat' }).check({ force: true })
    },
  },
  'POST /news/unsubscribe/{key}/': { on: '/unsubscribe/AAAAAAAAAAAAAAAAAAAAAA', act: press('Stop e-mails') },
  'POST /records/': { on: '/user/profile', act: press('Export my data') },
  'POST /account_deletion/': { on: '/user/profile', act: press('Delete my account') },
  'POST /referral_privacy/': { on: '/user/profile', act: turnSwitch('Show my figures to my upline') },
  'POST /quiz/visibility/': { on: '/user/profile', act: turnSwitch('Show me on the quiz leaderboards') },
  'POST /wellness/friends/join/': { on: '/user/games2', act: press('Join the board') },
  'GET /deposit-address/': {
    on: '/user/wallet',
    act: async (page) => {
      await press('Add money')(page)
      await page.getByRole('dialog').getByText('Exchange', { exact: true }).click()
    },
  },
  'POST /dev/faucet/': { on: '/user/wallet', act: press('Get test money') },
  'POST /statement_csv/': { on: '/user/balance', act: press('CSV: Transactions, newest first') },
  'POST /internal_transfer_recipient/': {
    on: '/user/internal-transfer',
    act: (page) => page.getByLabel('To', { exact: true }).fill('someone_else'),
  },
  'POST /wellness/log/': {
    on: '/user/games2',
    act: async (page) => {
      await press('Log activity')(page)
      await page.getByLabel('How many steps?').fill('100')
      await page.getByRole('button', { name: 'Add 100 steps' }).click()
    },
  },
  'POST /wellness/breathing/start/': {
    on: '/user/games2',
    act: async (page) => {
      await press('Breathe')(page)
      await press('Begin')(page)
    },
  },
  'POST /quiz/guest/start/': { on: '/play/quiz', act: press('Play') },
  'POST /share/{token}/duel/': { on: '/play/quiz?duel=AAAAAAAAAAAAAAAAAAAAAA', act: press('Play') },
  'POST /quiz/guest/move/': { on: '/play/quiz', act: press('Play') },
  'POST /game/start/': { on: '/user/quize-game', act: press('Play') },
  'POST /game/{id}/deal/': { on: '/user/quize-game', act: press('Play') },
  'POST /colour/limits/': {
    on: '/user/profile',
    act: async (page) => {
      await press('Set the daily loss limit')(page)
      await page.getByLabel('Limit per day (UTC)').fill('5')
      await press('Set limit')(page)
    },
  },
  'GET /colour/rounds/{number}/': {
    on: '/trust',
    act: async (page) => {
      await page.getByLabel('Round', { exact: true }).fill('1')
      await press('Check this round')(page)
    },
  },
  'POST /support/open/': {
    on: '/user/healthsupport',
    act: async (page) => {
      await press('New request')(page)
      await page.getByLabel('Subject').fill('Hello')
      await page.getByLabel('Your message').fill('A question')
      await press('Send')(page)
    },
  },
  'POST /colour/exclusion/': {
    on: '/user/profile',
    act: async (page) => {
      await press('Take a break')(page)
      await press(/^Exclude me for/)(page)
    },
  },
  'POST /wellness/rest/': {
    on: '/user/games2',
    act: async (page) => {
      await page.getByRole('checkbox', { name: 'Monday' }).press('Space')
      await press('Start next Monday')(page)
    },
  },
  'POST /wellness/zone/': {
    on: '/user/profile',
    act: async (page) => {
      await page.getByLabel('Time zone').selectOption('Asia/Tokyo')
      await press('Use this time zone')(page)
    },
  },
  'POST /betwallet/': {
    on: '/user/wallet',
    wallet: '100',
    act: async (page) => {
      await press('Move')(page)
      await page.getByLabel('From your wallet balance').fill('5')
      await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click()
    },
  },
}

const UNSHOWN = 'A failure changes nothing for the user: the server completes it.'
const SAME_BUTTON = 'The button of the statement, which fails here.'
const NO_CHANNEL = 'The installation of these tests has no channel for news. call-words.test.ts checks its words.'
const LATER = 'It needs money, a team or a game that takes long to set up. call-words.test.ts checks its words.'

/** Calls that do not fail in these tests, and why. */
export const leftOut: Partial<Record<CallKey, string>> = {
  'POST /auth/logout/': 'Signing out works without the server.',
  'POST /gameupline_referral/': UNSHOWN,
  'POST /colorupline_referral/': UNSHOWN,
  'POST /gamebuyplan/': 'top-up.spec.ts makes it fail.',
  'GET /wellness/community/': 'Without it, the landing page shows the goals alone.',
  'POST /roiearning_history_csv/': SAME_BUTTON,
  'POST /withdraw_history_csv/': SAME_BUTTON,
  'POST /internal_transfer_history_csv/': SAME_BUTTON,
  'POST /bet_history_csv/': SAME_BUTTON,
  'POST /betwallet_history_csv/': SAME_BUTTON,
  'POST /release_royalty/': LATER,
  'POST /quiz/guest/keep/': UNSHOWN,
  'POST /referral_search/': LATER,
  'POST /withdraw_request/': LATER,
  'POST /wallet_change/request/': LATER,
  'POST /wallet_change/cancel/': LATER,
  'POST /account_delete/': LATER,
  'POST /internal_transfer/': LATER,
  'POST /wallet_deposit/': LATER,
  'POST /wellness/remove/': LATER,
  'POST /wellness/breathing/finish/': LATER,
  'POST /wellness/import/': LATER,
  'GET /game/{id}/': LATER,
  'POST /game/{id}/shoot/': LATER,
  'POST /game/{id}/power/': LATER,
  'POST /game/{id}/pause/': LATER,
  'POST /game/{id}/end/': LATER,
  'POST /declare/': LATER,
  'POST /news/read/': 'A mark that is lost changes nothing but the count.',
  'POST /news/read-all/': LATER,
  'POST /news/settings/': NO_CHANNEL,
  'POST /news/push/': NO_CHANNEL,
  'POST /news/push/stop/': NO_CHANNEL,
  'POST /news/email/': NO_CHANNEL,
  'POST /news/email/confirm/': NO_CHANNEL,
  'POST /news/email/stop/': NO_CHANNEL,
  'POST /news/telegram/': NO_CHANNEL,
  'POST /news/telegram/stop/': NO_CHANNEL,
  'POST /share/': LATER,
  'POST /unshare/': LATER,
  'POST /place-bet/': LATER,
  'POST /trust/proof/': LATER,
  'POST /trust/receipt/': LATER,
  'POST /healthroi/': LATER,
  'POST /support/thread/': LATER,
  'POST /support/appeal/': LATER,
  'POST /support/reply/': LATER,
  'POST /support/close/': LATER,
}
