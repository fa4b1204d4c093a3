import { expect, test } from '@playwright/test'
import { stopChainNode } from './chain-node.ts'
import { joinWithDemoWallet } from './member.ts'
import { answer, detailsWith, openWith, recordNotices } from './money-pages.ts'
import { confirmPurchase } from './plan-purchase.ts'

// Stopping the chain node affects every page of the run, so these journeys run last.
test.use({ serviceWorkers: 'block' })

const TOKENS = ['usdt', 'bnb', 'jw', 'jwc']
const SILENT = 'The chain node is not responding. Nothing was lost. Please try again.'

test('pages report an outage of the chain node, lose nothing, and recover when it is back', async ({
  page,
  context,
}) => {
  await joinWithDemoWallet(page)
  const plansPage = await context.newPage()
  const notices = await recordNotices(plansPage)
  await plansPage.goto('/user/plans')
  await plansPage.getByLabel('Starter amount').fill('10')
  await confirmPurchase(plansPage, 'Starter', '10')
  await expect(plansPage.getByText('✓ Signed')).toBeVisible()

  const startChainNode = stopChainNode()
  try {
    await page.goto('/user/wallet')
    for (const token of TOKENS) await expect(page.locator(`[data-token="${token}"]`)).toContainText('unknown')
    await expect(page.getByRole('button', { name: 'Retry reading USDT' })).toBeVisible()
    await expect(plansPage.getByText('The chain node is not responding').first()).toBeVisible()
    // The form takes no other purchase while its own is under way. After a reload it is free.
    await plansPage.reload()
    await plansPage.getByLabel('Starter amount').fill('11')
    await confirmPurchase(plansPage, 'Starter', '11')
    await expect.poll(notices).toContain(SILENT)
  } finally {
    startChainNode()
  }

  await expect(page.locator('[data-token="usdt"]')).toContainText('4,990.0000')
  for (const token of TOKENS) await expect(page.locator(`[data-token="${token}"]`)).not.toContainText('unknown')
  await expect(plansPage.getByText(/is active$/)).toBeVisible()
  await expect(plansPage.getByText('Active plans')).toBeVisible()
})

test('the page says when a reward waits for an empty pool, and updates when the pool is funded', async ({ page }) => {
  await openWith(page, '/user/no-such-page')
  let isFunded = false
  await page.route('**/api/detail/', (route) => {
    const deferred = isFunded ? '0' : '1.25'
    const data = detailsWith({ deferred: { reward: deferred, health: '0', referral: '0' }, planreward: '200' })
    return route.fulfill({ json: { status: 'success', Msg: '', data } })
  })
  const { promise: funding, resolve: fund } = Promise.withResolvers<void>()
  await page.route('**/api/events/**', async (route) => {
    await funding
    await route.fulfill({ contentType: 'text/event-stream', body: 'event: balance\ndata: {}\n\n' })
  })
  await answer(page, '/process_rewards/', { paid: '0', health_paid: '0', deferred: '1.25' })
  await page.goto('/user/home')
  const waiting = page.getByText("You've earned another 1.25 USDT, but the operator's pool is empty.")
  await expect(waiting).toBeVisible()
  isFunded = true
  fund()
  await expect(waiting).toBeHidden()
})
