import { type ComponentType, lazy, type ReactNode, Suspense, useState, ViewTransition } from 'react'
import { matchPath, Navigate, Route, Routes, useLocation } from 'react-router'
import { brand } from '../../protocol/brand.ts'
import { Loading } from '../../ui/states.tsx'
import { loadCalls } from '../shared/api/load-calls.ts'
import { NetworkStrip } from '../shared/page/network-note.tsx'
import { loadLastWallet } from '../shared/wallet/last-wallet.ts'
import { ComingSoonPage } from './coming-soon-page.tsx'
import { useFocusAndScroll, useTitle } from './navigation.ts'
import { NotFoundPage } from './not-found-page.tsx'
import { RequireUser } from './require-user.tsx'

type Load = () => Promise<ComponentType>
type Page = { path: string; title: string; page: ComponentType; load: Load }

/** A component whose code is loaded when it is first shown. */
const later = (load: Load): ComponentType => lazy(async () => ({ default: await load() }))

const page = (path: string, title: string, load: Load): Page => ({ path, title, page: later(load), load })

let loadedLanding: ComponentType | undefined
const loadLanding = async (): Promise<ComponentType> => {
  const [{ LandingPage }] = await Promise.all([import('../landing/landing-page.tsx'), loadLastWallet()])
  loadedLanding = LandingPage
  return LandingPage
}
const LazyLanding = later(loadLanding)

/** A lazy component shows its fallback once even if its code is there. So code that has loaded is rendered directly. */
function Landing() {
  const [Content] = useState(() => loadedLanding ?? LazyLanding)
  return <Content />
}

/** The first page most visitors load, so it is kept outside the providers and their code. */
const landing: Page = { path: '/', title: brand.tagline, page: Landing, load: loadLanding }

const loadRegister = async (): Promise<ComponentType> => {
  const [{ RegisterPage }] = await Promise.all([import('../users/register-page.tsx'), loadLastWallet()])
  return RegisterPage
}

/** The other pages that need no sign-in. */
const publicPages: Page[] = [
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
const userPages: Page[] = [
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
const redirects: Record<string, string> = {
  '/dashboard': '/user/home',
  '/rewards': '/user/balance',
  '/activity': '/user/games2',
  '/user': '/user/home',
}

const loadProviders = async () => {
  await loadCalls()
  return (await import('./providers.tsx')).Providers
}
const loadLayout = async () => (await import('./layout.tsx')).Layout
const Providers = later(loadProviders)
const Layout = later(loadLayout)

/**
 * Loads all code of a page before it is rendered. Otherwise, React would ask for each part when the one around it is
 * rendered. A failure is shown when the part is rendered.
 */
export async function loadPage(pathname: string): Promise<void> {
  const target = redirects[pathname] ?? pathname
  const found = [landing, ...publicPages, ...userPages].find(({ path }) => matchPath(path, target))
  if (!found) return
  const around = found === landing ? [] : userPages.includes(found) ? [loadProviders, loadLayout] : [loadProviders]
  for (const load of [...around, found.load]) await load().catch(() => undefined)
}

export function AppRoutes() {
  useFocusAndScroll()
  const isPublic = !useLocation().pathname.startsWith('/user')
  return (
    <>
      {isPublic && <NetworkStrip />}
      <Routes>
        {Object.entries(redirects).map(([from, to]) => (
          <Route key={from} path={from} element={<Navigate to={to} replace />} />
        ))}
        {route(landing)}
        <Route element={<Later content={<Providers />} />}>
          {publicPages.map(route)}
          <Route
            path="/user"
            element={
              <RequireUser>
                <Later content={<Layout />} />
              </RequireUser>
            }
          >
            {userPages.map(route)}
            <Route path="*" element={<Frame title="Coming soon" content={<ComingSoonPage />} />} />
          </Route>
        </Route>
        <Route path="*" element={<Frame title="Page not found" content={<NotFoundPage />} />} />
      </Routes>
    </>
  )
}

const route = ({ path, title, page: Content }: Page) => (
  <Route key={path} path={path} element={<Frame title={title} content={<Content />} />} />
)

/**
 * The first page is shown without a transition: even one without a visible effect delays it by some frames. Its title is
 * remembered, because a link to a part of the page also changes the location, and must not mount the page again.
 */
function Frame({ title, content }: { title: string; content: ReactNode }) {
  useTitle(title)
  const { key } = useLocation()
  const [first] = useState(key === 'default' ? title : undefined)
  if (title === first) return <Later content={content} />
  return (
    <ViewTransition key={title} default="none" enter="auto" exit="auto">
      <Later content={content} />
    </ViewTransition>
  )
}

const Later = ({ content }: { content: ReactNode }) => <Suspense fallback={<Loading />}>{content}</Suspense>
