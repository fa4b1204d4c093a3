import { expect, type Page, test } from '@playwright/test'
import { joinWithDemoWallet } from './member.ts'
import { FINAL_MS } from './plan-purchase.ts'

const bell = (page: Page) => page.getByRole('banner').getByRole('link', { name: /^News/ })

test.describe('in the app', () => {
  test.use({ serviceWorkers: 'block', viewport: { width: 390, height: 844 } })

  test('a deposit rings the bell, the inbox shows it, and a tap opens the wallet and marks it as read', async ({
    page,
  }) => {
    await joinWithDemoWallet(page)
    await expect(bell(page)).toHaveAccessibleName('News')
    await page.goto('/user/news')
    await expect(page.getByText('No news yet')).toBeVisible()
    await page.goto('/user/wallet')
    await page.getByRole('button', { name: 'Add money' }).click()
    await page.getByLabel('From your wallet on chain').fill('100')
    await page.getByRole('button', { name: 'Add 100 USDT' }).click()
    await expect(bell(page)).toHaveAccessibleName('News, 1 unread', { timeout: FINAL_MS })
    await page.goto('/user/news')
    const item = page.getByRole('listitem').filter({ hasText: '100 USDT arrived' })
    await expect(item).toContainText('It is in your wallet balance.')
    await expect(item).toContainText('Unread')
    await item.getByRole('link').click()
    await page.waitForURL('**/user/wallet')
    await expect(bell(page)).toHaveAccessibleName('News')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })
})

test.describe('by push', () => {
  test.use({ serviceWorkers: 'allow' })

  test('the service worker shows a push message under the id of its news, so that a repeat replaces it', async ({
    page,
    context,
  }) => {
    await page.goto('/')
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true))
    // Headless Chromium shows no notifications, so the call that would show one is recorded.
    const shown = await worker.evaluate(`(() => {
      const shown = []
      self.registration.showNotification = async (title, { body, tag, data }) => void shown.push([title, body, tag, data])
      const data = JSON.stringify({ id: 'n1', title: '100 USDT arrived', text: 'It is here.', link: '/user/wallet' })
      self.dispatchEvent(new PushEvent('push', { data }))
      return shown
    })()`)
    expect(shown).toEqual([['100 USDT arrived', 'It is here.', 'n1', { link: '/user/wallet' }]])
  })
})
