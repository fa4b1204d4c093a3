import { expect, type Page, test } from '@playwright/test'
import { recordNotices } from './money-pages.ts'
import { store } from './shell-pages.ts'

// The real thing: a demo wallet, the development chain, a server and its worker.
test.describe.configure({ timeout: 240_000 })

async function join(page: Page, path = '/login/register') {
  await page.goto(path)
  await page.getByRole('button', { name: 'Start with a demo wallet' }).click()
  await page.waitForURL('**/user/home', { timeout: 60_000 })
  return JSON.parse((await page.evaluate(() => localStorage.getItem('user'))) ?? '{}') as {
    token: string
    username: string
  }
}

async function buyOnChain(page: Page, tier: string, amount: string): Promise<void> {
  await page.goto('/user/plans')
  await page.getByRole('radio', { name: new RegExp(tier) }).check({ force: true })
  await page.getByLabel(`${tier} amount`).fill(amount)
  await page.getByRole('button', { name: `Buy ${tier}` }).click()
}

const active = (page: Page) => page.getByText(/is active$/)

test('a plan is bought on chain, tops up from real referral rewards, and everything is in the books', async ({
  page,
  browser,
}) => {
  const notices = await recordNotices(page)
  await join(page)

  await test.step('what does not fit the tier is said while one types', async () => {
    await page.goto('/user/plans')
    await page.getByLabel('Starter amount').fill('9.5')
    await expect(page.getByRole('alert')).toHaveText('Starter takes 10 to 99.999999 USDT')
    await expect(page.getByRole('button', { name: 'Buy Starter' })).toBeDisabled()
    await expect(page.getByText('Reward pool')).toBeVisible()
  })

  await test.step('the purchase goes from signed to active, also over a reload', async () => {
    await buyOnChain(page, 'Starter', '50')
    await expect(page.getByText('✓ Signed')).toBeVisible({ timeout: 30_000 })
    await page.reload()
    await expect(active(page)).toBeVisible({ timeout: 60_000 })
    await expect.poll(notices).toContain('Plan purchased successfully! 🎉')
    await expect(page.getByRole('heading', { name: 'Running now' })).toBeVisible({ timeout: 60_000 })
  })

  await test.step('a friend joins and buys; the sponsor sees the reward at once', async () => {
    const code = await readReferralCode(page)
    const friendPage = await (await browser.newContext()).newPage()
    await join(friendPage, `/referral/${code}`)
    await buyOnChain(friendPage, 'Peak', '2000')
    await expect(active(friendPage)).toBeVisible({ timeout: 90_000 })
    await page.goto('/user/re-top-up')
    await expect(page.locator('main label').filter({ hasText: 'Referral Rewards' })).toContainText('100.00USDT', {
      timeout: 60_000,
    })
  })

  await test.step('re top up: a tenth is the fee, because the plan is above 20', async () => {
    await page.getByLabel('Source', { exact: true }).selectOption('referral')
    await page.getByLabel('Amount', { exact: true }).fill('20')
    await page.locator('main').getByRole('button', { name: 'Re Top Up' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm Re Top Up' })
    await expect(dialog).toContainText('18 USDT goes to your plan and 2 USDT is the fee')
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await expect.poll(notices).toContain('Plan purchased successfully! 🎉')
    await expect(page.locator('main label').filter({ hasText: 'Referral Rewards' })).toContainText('80.00USDT')
    await page.getByRole('link', { name: 'History' }).click()
    await expect(page.locator('main tbody tr')).toHaveCount(2)
    await expect(page.locator('main tbody tr').nth(1)).toContainText('Referral Re Top Up')
  })

  await test.step('the balance page tells each movement', async () => {
    await page.goto('/user/balance')
    await page.getByRole('button', { name: /Referral Rewards/ }).click()
    const rows = page.locator('main tbody tr').filter({ hasText: /Re top up|Upline reward/ })
    await expect(rows).toHaveCount(2)
    await expect(rows.nth(0)).toContainText('−20.00')
    await expect(rows.nth(1)).toContainText('+100.00')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('referral-statement.csv')
  })
})

async function readReferralCode(page: Page): Promise<string> {
  const { token } = JSON.parse((await page.evaluate(() => localStorage.getItem('user'))) ?? '{}')
  const reply = await page.request.post('/api/auth/me/', { headers: { Token: token }, data: {} })
  return (await reply.json()).data.referral_code
}

test('forged purchases in local storage break nothing', async ({ page }) => {
  for (const forged of ['{', '[{}]', '[{"trans_hash":"0x1","usdt_amount":"1e9","package_type":"x"}]'])
    await store(page, 'purchases', forged)
  await join(page)
  await page.goto('/user/plans')
  await expect(page.getByRole('heading', { name: 'Plans', level: 1 })).toBeVisible()
  await expect(page.getByLabel('Starter amount')).toBeVisible()
})
