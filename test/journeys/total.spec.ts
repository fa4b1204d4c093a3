import { expect, type Page, test } from '@playwright/test'
import { answer, developmentChain, openWith } from './money-pages.ts'
import { still, storedUser } from './shell-pages.ts'

test.use(still)

const details = { wallet: '1', planamount: '2', planreward: '4', planreff: '8', health: '16', bet: '32', hold: '64' }
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

/** A development network on which the connected wallet holds `wei` of USDT. */
async function answerChain(page: Page, wei: bigint): Promise<void> {
  await answer(page, '/chain/', developmentChain)
  await page.route('**/api/rpc/', (route) => {
    const { id } = route.request().postDataJSON()
    return route.fulfill({ json: { jsonrpc: '2.0', id, result: `0x${wei.toString(16).padStart(64, '0')}` } })
  })
}

for (const path of ['/user/home', '/user/balance'])
  test(`${path} leads with all accounts plus the connected wallet, each part labelled`, async ({ page }) => {
    await openWith(page, path, details)
    await answerChain(page, 1000_500_000_999_999_999_999n)
    await page.goto(path)
    const main = page.locator('main')
    await expect(heading(page, 'Total').locator('..')).toContainText('1,127.50USDT')
    await expect(main.locator('dl > div').filter({ hasText: 'In Wellplay' })).toContainText('127.00USDT')
    const wallet = main.locator('dl > div').filter({ hasText: 'Connected wallet' })
    await expect(wallet).toContainText('1,000.50USDT')
    const address = storedUser.wallet_address.toLowerCase()
    await expect(wallet).toContainText(`${address.slice(0, 6)}...${address.slice(-4)}, on chain`)
    for (const name of ['Wallet', 'Plans', 'Daily Rewards', 'Referral Rewards', 'Health', 'Bet wallet', 'On hold'])
      await expect(main.getByText(name, { exact: true }).first()).toBeVisible()
  })

test('without the chain the total says that the connected wallet is not part of it', async ({ page }) => {
  await openWith(page, '/user/home', details)
  await expect(heading(page, 'Total in Wellplay').locator('..')).toContainText('127.00USDT')
  await expect(page.getByText('your connected wallet is not part of the total')).toBeVisible()
})
