import { expect, type Page, test } from '@playwright/test'
import { recordNotices } from './money-pages.ts'
import { signedIn, still, storedUser } from './shell-pages.ts'

test.use({ ...still, viewport: { width: 1280, height: 900 } })

const zero = { planamount: '0', max_amount: '5000', minimumamount: '10', withdrawfee: 5, TWA: '0', BWA: '0' }
const more = { wallet: '0', bet: '0', health: '0', hold: '0', today: '2026-01-01', lots: [], pending: [] }
const addresses = { wallet_address: storedUser.wallet_address, support: storedUser.wallet_address }

async function answer(page: Page, path: string, body: object, status = 200) {
  await page.route(`**/api${path}`, (route) => route.fulfill({ status, json: { status: 'success', Msg: '', ...body } }))
}

async function openWith(page: Page, planreff: string, planreward: string) {
  await signedIn(page)
  const deferred = { reward: '0', health: '0', referral: '0' }
  const maturity = { planreff_matured: '0', planreff_matures_at: null }
  await answer(page, '/detail/', {
    data: { ...zero, ...more, ...maturity, ...addresses, deferred, planreff, planreward },
  })
  await page.goto('/user/no-such-page')
}

for (const [planreff, planreward, shown] of [
  ['1.239', '2.5', '3.73'],
  ['0', '0', '0.00'],
  ['-5', '1', '0.00'],
  ['1000', '0.009999', '1,000.00'],
] as const) {
  test(`the balance chip adds ${planreff} and ${planreward} to ${shown} USDT`, async ({ page }) => {
    await openWith(page, planreff, planreward)
    await expect(page.locator('header').getByRole('link', { name: /^Rewards .*USDT$/ })).toContainText(`${shown}USDT`)
  })
}

test('the header claims the daily reward on load and shows what was paid', async ({ page }) => {
  const notices = await recordNotices(page)
  await signedIn(page)
  await answer(page, '/process_rewards/', { paid: '0.159', health_paid: '0', deferred: '0' })
  const claimed = page.waitForRequest('**/api/process_rewards/')
  await page.goto('/user/no-such-page')
  expect((await claimed).postDataJSON()).toEqual({ user_id: storedUser.id })
  await expect.poll(notices).toContain('Daily reward: 0.15 USDT')
})

test('there is no notification when nothing was paid', async ({ page }) => {
  await signedIn(page)
  await answer(page, '/process_rewards/', { paid: '0', health_paid: '0', deferred: '0' })
  const claimed = page.waitForResponse('**/api/process_rewards/')
  await page.goto('/user/no-such-page')
  await claimed
  await expect(page.getByText(/reward/i).and(page.getByRole('status'))).toHaveCount(0)
})

test('a failed claim shows an error', async ({ page }) => {
  const notices = await recordNotices(page)
  await signedIn(page)
  await page.goto('/user/no-such-page')
  await expect.poll(notices).toContain('An error occurred while claiming the reward.')
})

test('an expired session redirects to the registration page', async ({ page }) => {
  await signedIn(page)
  await answer(page, '/detail/', { status: 'error', code: 'unauthenticated', message: 'Sign in again' }, 401)
  await page.goto('/user/no-such-page')
  await expect(page).toHaveURL('/login/register')
})
