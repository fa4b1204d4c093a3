import type { ComponentType } from 'react'
import { matchPath } from 'react-router'
import { brand } from '../../protocol/brand.ts'
import { loadCalls } from '../shared/api/load-calls.ts'
import { readStoredUser } from '../shared/api/stored-user.ts'
import { loadLastWallet } from '../shared/wallet/last-wallet.ts'
import { type Load, later, type Part } from './later.tsx'

export type Page = Part & { path: string; title: string }

const page = (path: string, title: string, load: Load): Page => ({ path, title, ...later(load) })

const loadLanding = async (): Promise<ComponentType> => {
  const [{ LandingPage }] = await Promise.all([import('../landing/landing-page.tsx'), loadLastWallet()])
  return LandingPage
}

/** The first page most visitors load, so it is kept outside the providers and their code. */
export const landing = page('/', brand.tagline, loadLanding)

const loadRegister = async (): Promise<ComponentType> => {
  const [{ RegisterPage }] = await Promise.all([import('../users/register-page.tsx'), loadLastWallet()])
  return RegisterPage
}

/** The other pages that need no sign-in. */
export const publicPages: Page[] = [
  page('/login/register', 'Join', loadRegister),
  page('/referral/:referralCode', 'You are invited', loadRegister),
  page('/play/colour', 'Try the colour game', async () => (await import('../colour/trial-page.tsx')).ColourTrialPage),
  page('/play/quiz', 'Try the quiz', async () => (await import('../quiz/trial-page.tsx')).QuizTrialPage),
  page('/s/:token', 'A friend’s card', async () => (await import('../shares/share-page.tsx')).SharePage),
  page('/unsubscribe/:key', 'Stop e-mails', async () => (await import('../news/unsubscribe-page.tsx')).UnsubscribePage),
  page('/goodbye', 'Goodbye', async () => (await import('../deletion/goodbye-page.tsx')).GoodbyePage),
  page('/trust', 'Trust', async () => (await import('../trust/trust-page.tsx')).TrustPage),
  page('/help', 'Help', async () => (await import('../rules/help-page.tsx')).HelpPage),
  page('/play-safely', 'Play safely', async () => (await import('../rules/play-safely-page.tsx')).PlaySafelyPage),
  page('/terms', 'Terms', async () => (await import('../rules/terms-page.tsx')).TermsPage),
  page('/privacy', 'Privacy', async () => (await import('../rules/privacy-page.tsx')).PrivacyPage),
  ...(import.meta.env.DEV ? [page('/ui', 'Components', async () => (await import('./gallery.tsx')).Gallery)] : []),
]

/** Pages for signed-in users. Any other path under /user shows the coming-soon page. */
export const userPages: Page[] = [
  page('/user/profile', 'Profile', async () => (await import('./profile.tsx')).Profile),
  page(
    '/user/withdrawal',
    'Withdrawal',
    async () => (await import('../withdrawals/withdrawal-page.tsx')).WithdrawalPage,
  ),
  page(
    '/user/withdrawal-history',
    'Withdrawal history',
    async () => (await import('../withdrawals/withdrawal-history-page.tsx')).WithdrawalHistoryPage,
  ),
  page(
    '/user/internal-transfer',
    'Internal Transfer',
    async () => (await import('../transfers/transfer-page.tsx')).TransferPage,
  ),
  page(
    '/user/internal-transfer-history',
    'Internal Transfer history',
    async () => (await import('../transfers/transfer-history-page.tsx')).TransferHistoryPage,
  ),
  page('/user/wallet', 'Wallet', async () => (await import('../wallet/wallet-page.tsx')).WalletPage),
  page('/user/news', 'News', async () => (await import('../news/news-page.tsx')).NewsPage),
  page('/user/home', 'Home', async () => (await import('../home/home-page.tsx')).HomePage),
  page('/user/balance', 'Balance', async () => (await import('../balance/balance-page.tsx')).BalancePage),
  page('/user/plans', 'Plans', async () => (await import('../plans/plans-page.tsx')).PlansPage),
  page('/user/re-top-up', 'Re Top Up', async () => (await import('../plans/top-up-page.tsx')).TopUpPage),
  page(
    '/user/re-top-up-history',
    'Re-Rop-Up History',
    async () => (await import('../plans/top-up-history-page.tsx')).TopUpHistoryPage,
  ),
  page('/user/quize-game', 'Quiz', async () => (await import('../quiz/quiz-page.tsx')).QuizPage),
  page('/user/healthsupport', 'Health Support', async () => (await import('../support/support-page.tsx')).SupportPage),
  page('/user/color-game', 'Colour game', async () => (await import('../colour/colour-page.tsx')).ColourPage),
  page('/user/games2', 'Daily Challenges', async () => (await import('../wellness/wellness-page.tsx')).WellnessPage),
  page('/user/referal', 'Referral', async () => (await import('../referrals/referral-page.tsx')).ReferralPage),
]

/** The header's shortcuts and /user, with the pages they redirect to. */
export const redirects: Record<string, string> = {
  '/dashboard': '/user/home',
  '/rewards': '/user/balance',
  '/activity': '/user/games2',
  '/user': '/user/home',
}

export const providers = later(async () => {
  await loadCalls()
  return (await import('./providers.tsx')).Providers
})
export const layout = later(async () => (await import('./layout.tsx')).Layout)

/** The path at which a visitor arrives. Without a stored user, all of the user area leads to the registration page. */
function arrivalOf(pathname: string): string {
  const target = redirects[pathname] ?? pathname
  return target.startsWith('/user/') && !readStoredUser() ? '/login/register' : target
}

/** The parts that a page is rendered with, from the outside in. */
function partsOf(pathname: string): Part[] {
  const target = arrivalOf(pathname)
  if (target.startsWith('/user/')) return [providers, layout, ...userPages.filter(({ path }) => path === target)]
  const found = [landing, ...publicPages].find(({ path }) => matchPath(path, target))
  if (!found) return []
  return found === landing ? [landing] : [providers, found]
}

export const isPageLoaded = (pathname: string): boolean => partsOf(pathname).every(({ isLoaded }) => isLoaded())

/**
 * Loads all code of a page before it is rendered. Otherwise, React would ask for each part when the one around it is
 * rendered. A failure is shown when the part is rendered.
 */
export async function loadPage(pathname: string): Promise<void> {
  for (const { load, isLoaded } of partsOf(pathname)) if (!isLoaded()) await load().catch(() => undefined)
}
