import { expect, type Page, test } from '@playwright/test'
import { joinWithDemoWallet } from './member.ts'
import { answer, detailsWith, developmentChain, openWith } from './money-pages.ts'
import { still } from './shell-pages.ts'

test.use({ ...still, viewport: { width: 390, height: 844 } })

const nothing = { wallet: '0', planamount: '0', planreward: '0', planreff: '0', health: '0', bet: '0', hold: '0' }
const step = (page: Page, name: string) => page.locator('main').getByRole('link', { name })

test('a newcomer sees what is in their wallet and four steps, and checks a draw with one tap', async ({
  page,
  request,
}) => {
  await joinWithDemoWallet(page)
  const main = page.locator('main')
  await expect(page.getByRole('heading', { name: 'You have 5,000 test USDT', exact: true })).toBeVisible()
  await expect(step(page, 'Choose a plan')).toHaveAttribute('href', '/user/plans')
  await expect(step(page, 'Play a round')).toHaveAttribute('href', '/user/quize-game')
  await expect(step(page, 'Close a ring')).toHaveAttribute('href', '/user/games2')
  await expect(main).not.toContainText('0.00')
  await expect(main.getByRole('progressbar', { name: /Next reward/ })).toHaveCount(0)

  const ended = async () => (await (await request.get('/api/games/')).json()).data.length
  await expect.poll(ended, { message: 'a round has ended', timeout: 150_000 }).toBeGreaterThan(0)
  await main.getByRole('button', { name: 'Check us' }).click()
  await expect(page.getByRole('dialog', { name: 'Check us' }).getByText(/^Checked/)).toBeVisible()
  await page.reload()
  await expect(step(page, 'Choose a plan')).toBeVisible()
  await expect(main.getByRole('button', { name: 'Check us' })).toHaveCount(0)
})

test('a step that is done is gone, and after the last one the steps are gone', async ({ page }) => {
  await openWith(page, '/user/no-such-page', { ...nothing, wallet: '5' })
  await answerSteps(page, { games: 0, bets: 0 })
  await page.goto('/user/home')
  await expect(page.getByRole('heading', { name: 'Your first steps' })).toBeVisible()
  await expect(step(page, 'Play a round')).toBeVisible()
  await answerSteps(page, { games: 0, bets: 1 })
  await page.reload()
  await expect(step(page, 'Choose a plan').first()).toBeVisible()
  await expect(step(page, 'Play a round')).toHaveCount(0)
  await answer(page, '/detail/', { data: detailsWith({ ...nothing, wallet: '5', planamount: '20', lots: [lot] }) })
  await answerSteps(page, { games: 1, bets: 0 }, 3)
  await page.evaluate(() => localStorage.setItem('checked', '1'))
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Next steps' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Your first steps' })).toHaveCount(0)
})

test('Withdraw is beside Re Top Up, and the countdown runs only with a plan', async ({ page }) => {
  await openWith(page, '/user/home', { planamount: '0' })
  await expect(step(page, 'Withdraw')).toHaveAttribute('href', '/user/withdrawal')
  await expect(page.getByRole('progressbar', { name: /Next reward/ })).toHaveCount(0)
  await answer(page, '/detail/', { data: detailsWith({ lots: [lot] }) })
  await page.reload()
  await expect(page.getByRole('progressbar', { name: /Next reward/ })).toBeVisible()
  // Read in one moment: the page may still move while figures arrive.
  const links = page.locator('main section').getByRole('link', { name: /^(Re Top Up|Withdraw$)/ })
  const tops = () => links.evaluateAll((all) => all.map((link) => link.getBoundingClientRect().top))
  await expect.poll(tops).toHaveLength(2)
  const [reinvest, withdraw] = await tops()
  expect(withdraw).toBe(reinvest)
})

test('a wallet without money is called ready, and an unread one unknown', async ({ page }) => {
  await openWith(page, '/user/home', nothing)
  await expect(page.getByText('the balance of your wallet is unknown')).toBeVisible()
  await answer(page, '/chain/', developmentChain)
  await page.route('**/api/rpc/', (route) => {
    const { id } = route.request().postDataJSON()
    return route.fulfill({ json: { jsonrpc: '2.0', id, result: `0x${'0'.repeat(64)}` } })
  })
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Your wallet is ready' })).toBeVisible()
})

const lot = {
  order_id: 'order_0190b5a0-0000-7000-8000-000000000001',
  plan_name: 'USDT Starter',
  tier: 'Starter',
  amount: '20',
  daily_reward: '0.02',
  daily_rate_ppm: 1000,
  started_on: '2026-02-01',
  matures_on: '2026-05-02',
}

async function answerSteps(page: Page, { games, bets }: { games: number; bets: number }, longest = 0): Promise<void> {
  const overview = { best: 0, games, points: 0, points_left_today: 0, open_game: null, recent: [] }
  await answer(page, '/quiz/', { data: overview })
  await page.route('**/api/bet_history/**', (route) =>
    route.fulfill({ json: { status: 'success', Msg: '', history: [], page_no: 1, page_size: 1, total: bets } }),
  )
  await answer(page, '/wellness/today/', { data: { ...day, streak: { ...day.streak, longest } } })
}

const day = {
  day: '2026-03-01',
  zone: null,
  ends_at: '2026-03-02T00:00:00.000Z',
  rings: [],
  entries: [],
  streak: {
    ...{ current: 0, longest: 0, freezes: 0, next_milestone: { days: 3, points: 10 } },
    ...{ days: [], rest_weekdays: [], rest_weekdays_next: null },
  },
  ...{ score: 65, points: 0, level: 0, level_from: 0, level_to: 100, exercise: 'box' },
}
