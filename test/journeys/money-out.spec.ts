import { expect, type Page, test } from '@playwright/test'
import { becomeMember, joinWithDemoWallet } from './member.ts'
import { FINAL_MS } from './plan-purchase.ts'

// Nothing is faked: a demo wallet, the development chain, a server and its worker.
test.use({ serviceWorkers: 'block' })

const card = (page: Page, name: string) => page.getByLabel(name, { exact: true })
const balanceOf = (page: Page, label: string) => page.locator('main label').filter({ hasText: label })

/** Records every text and every progress that this element shows from now on, in order and without repeats. */
async function recordTexts(page: Page, selector: string): Promise<() => Promise<string[]>> {
  await page.evaluate((within) => {
    const shown: string[] = []
    Object.assign(window, { shown })
    new MutationObserver(() => {
      const element = document.querySelector(within)
      const progress = element?.querySelector('[role=progressbar]')?.getAttribute('aria-label')
      for (const text of [element?.textContent, progress]) if (text && !shown.includes(text)) shown.push(text)
    }).observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true })
  }, selector)
  return () => page.evaluate(() => (window as unknown as { shown: string[] }).shown)
}

test('a user deposits, withdraws, and sends a transfer that its receiver sees immediately', async ({
  page,
  browser,
  request,
}) => {
  const { wallet_address } = await joinWithDemoWallet(page)

  await test.step('a deposit shows its confirmations and arrives', async () => {
    await page.goto('/user/wallet')
    await expect(page.locator('[data-token="usdt"]')).toContainText('5,000.0000')
    await page.getByRole('button', { name: 'Add money' }).click()
    await page.getByLabel('From your wallet on chain').fill('100')
    const shown = await recordTexts(page, '[aria-label="Your money"]')
    await page.getByRole('button', { name: 'Add 100 USDT' }).click()
    await expect(card(page, 'Your money')).toContainText('Your deposit is in your balance', { timeout: FINAL_MS })
    expect((await shown()).join()).toMatch(/Waiting for the network|of 3 confirmations/)
    await expect(page.locator('[data-token="usdt"]')).toContainText('4,900.0000')
    await expect(card(page, 'Deposits').locator('tbody tr').first()).toContainText('Arrived')
  })

  await test.step('bad amounts show an error before anything is signed', async () => {
    await page.goto('/user/withdrawal')
    const amount = page.getByLabel('Amount', { exact: true })
    for (const [text, words] of [
      ['9.999999', 'Minimum amount is 10 USDT'],
      ['100.000001', 'Insufficient balance'],
    ] as const) {
      await amount.fill(text)
      await expect(page.getByRole('alert')).toHaveText(words)
      await expect(page.getByRole('button', { name: 'Withdraw', exact: true })).toBeDisabled()
    }
  })

  await test.step('a withdrawal is signed and paid, and the page shows every state live', async () => {
    await page.getByLabel('Amount', { exact: true }).fill('40')
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm withdrawal' })
    await expect(dialog.getByTestId('whole-address')).toHaveText(wallet_address, { ignoreCase: true })
    await expect(dialog).toContainText('38 USDT')
    const states = await recordTexts(page, '[aria-label="Your latest withdrawal"]')
    await dialog.getByRole('button', { name: 'Sign and withdraw' }).click()
    const latest = card(page, 'Your latest withdrawal')
    await expect(latest).toContainText('38.00')
    await expect(latest).toContainText('Paid', { timeout: FINAL_MS })
    expect((await states()).join(' ')).toMatch(/Requested.*(Signed|Sent|confirmations).*Paid/)
    await expect(balanceOf(page, 'Wallet balance')).toContainText('60.00')
    await page.getByRole('link', { name: 'History' }).click()
    await expect(page.locator('main tbody tr').first()).toContainText('Paid')
  })

  await test.step('a transfer appears on the open page of its receiver without a reload', async () => {
    const friendPage = await (await browser.newContext({ serviceWorkers: 'block' })).newPage()
    const friend = await becomeMember(friendPage, request)
    await friendPage.goto('/user/internal-transfer')
    await expect(balanceOf(friendPage, 'Wallet balance')).toContainText('0.00')
    await page.goto('/user/internal-transfer')
    await page.getByLabel('To', { exact: true }).fill(friend.username)
    await expect(page.getByText('Level 0').or(page.getByText('Level 1'))).toBeVisible()
    await page.getByLabel('Amount', { exact: true }).fill('12.5')
    await page.getByLabel('Note').fill('For the run')
    await page.locator('main').getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign and send 12.5 USDT' }).click()
    await expect(balanceOf(friendPage, 'Wallet balance')).toContainText('12.50')
    await expect(card(friendPage, 'Latest transfers')).toContainText('+12.50')
    await expect(balanceOf(page, 'Wallet balance')).toContainText('47.50')
    await friendPage.getByRole('link', { name: 'History' }).click()
    await expect(friendPage.locator('main tbody tr').first()).toContainText('For the run')
  })
})
