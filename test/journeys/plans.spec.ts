import { expect, type Page, test } from '@playwright/test'
import { findBarriers } from './barriers.ts'
import { becomeMember, joinWithDemoWallet } from './member.ts'
import { answerHistory, historyRow, openWith, recordNotices } from './money-pages.ts'
import { buyOnChain, FINAL_MS, seesActivePlan } from './plan-purchase.ts'
import { store } from './shell-pages.ts'

// Nothing is faked: demo wallets, the development chain, a server and its worker.

test('a user buys a plan on chain, tops it up from referral rewards, and sees every movement in the statement', async ({
  page,
  browser,
}) => {
  const notices = await recordNotices(page)
  const { token } = await joinWithDemoWallet(page)
  const code = await readReferralCode(page, token)
  const friendPage = await (await browser.newContext()).newPage()
  const friend = joinWithDemoWallet(friendPage, `/referral/${code}`)

  await test.step('an amount outside the tier shows an error while typing', async () => {
    await page.goto('/user/plans')
    await page.getByLabel('Starter amount').fill('9.5')
    await expect(page.getByRole('alert')).toHaveText('Starter takes 10 to 99.999999 USDT')
    await expect(page.getByRole('button', { name: 'Buy Starter' })).toBeDisabled()
    await expect(page.getByText('Reward pool')).toBeVisible()
  })

  await test.step('the purchase goes from signed to active, even after a reload', async () => {
    await buyOnChain(page, 'Starter', '50')
    await expect(page.getByText('✓ Signed')).toBeVisible()
    await page.reload()
    // The purchase may have ended before the page is back. Then only the plan is to be seen.
    await expect(page.getByRole('heading', { name: 'Active plans' })).toBeVisible({ timeout: FINAL_MS })
  })

  await test.step('a friend who joined with the link buys, and the sponsor’s open page shows the reward', async () => {
    await page.goto('/user/re-top-up')
    await friend
    await buyOnChain(friendPage, 'Peak', '2000')
    await seesActivePlan(friendPage)
    await expect(page.locator('main label').filter({ hasText: 'Referral Rewards' })).toContainText('100.00USDT')
  })

  await test.step('re top up: 10% is the fee, because the plan is above 20', async () => {
    // The source that holds more is chosen already.
    await expect(page.getByLabel('Source', { exact: true })).toHaveValue('referral')
    await page.getByLabel('Amount', { exact: true }).fill('20')
    await page.locator('main').getByRole('button', { name: 'Re Top Up' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm Re Top Up' })
    await expect(dialog).toContainText('18 USDT goes to your plan and 2 USDT is the fee')
    await expect(dialog).toContainText(/It is locked for 90 days, until \d+ \w+ 20\d\d/)
    expect(await findBarriers(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await expect.poll(notices).toContain('Plan purchased successfully! 🎉')
    await expect(page.locator('main label').filter({ hasText: 'Referral Rewards' })).toContainText('80.00USDT')
    await page.getByRole('link', { name: 'History' }).click()
    await expect(page.locator('main tbody tr')).toHaveCount(2)
    await expect(page.locator('main tbody tr').nth(1)).toContainText('Referral Re Top Up')
  })

  await test.step('the balance page lists each movement', async () => {
    await page.goto('/user/balance')
    await page.getByRole('button', { name: /Referral Rewards/ }).click()
    const rows = page.locator('main tbody tr').filter({ hasText: /Re top up|Upline reward/ })
    await expect(rows).toHaveCount(2)
    await expect(rows.nth(0)).toContainText('−20.00')
    await expect(rows.nth(1)).toContainText('+100.00')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV: Transactions' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('referral-statement.csv')
  })
})

async function readReferralCode(page: Page, token: string): Promise<string> {
  const reply = await page.request.post('/api/auth/me/', { headers: { Token: token }, data: {} })
  return (await reply.json()).data.referral_code
}

test('forged purchases in local storage break nothing', async ({ page, request }) => {
  await becomeMember(page, request)
  await store(page, 'purchases', '[{"trans_hash":"0x1","usdt_amount":"1e9","package_type":"x"}]')
  await page.goto('/user/plans')
  await expect(page.getByRole('heading', { name: 'Plans', level: 1 })).toBeVisible()
  await expect(page.getByLabel('Starter amount')).toBeVisible()
})

test('purchases have twenty rows a page, and the pager loads the others', async ({ page }) => {
  await openWith(page, '/user/no-such-page')
  const rows = Array.from({ length: 53 }, (_, index) => historyRow(index, 'USDT Starter'))
  const requested = await answerHistory(page, rows)
  await page.goto('/user/plans')
  const bought = page.getByRole('region', { name: 'Plans bought' }).locator('tbody tr')
  // Placeholders are rows too, so wait for text from the reply.
  await expect(bought.first()).toContainText('0.25')
  await expect(bought).toHaveCount(20)
  await expect(page.getByText('Page 1 of 3')).toBeVisible()
  expect(requested).toEqual([1])
  for (const at of [2, 3]) {
    await page.getByRole('button', { name: 'Next' }).click()
    await expect(page.getByText(`Page ${at} of 3`)).toBeVisible()
  }
  await expect(bought).toHaveCount(13)
  await expect(bought.last()).toContainText('52.25')
  await expect(page.getByRole('button', { name: 'Next' })).toBeDisabled()
  expect(requested).toEqual([1, 2, 3])
})
