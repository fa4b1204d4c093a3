import { expect, type Page, test } from '@playwright/test'
import { answer, support } from './money-pages.ts'
import { still, withoutServer } from './shell-pages.ts'

test.use(still)

async function openOn(page: Page, isDevelopment: boolean) {
  await withoutServer(page)
  const token = { address: support, decimals: 18 }
  await answer(page, '/chain/', {
    network: isDevelopment ? 'development' : 'bsc',
    network_name: 'A network',
    chain_id: isDevelopment ? 31337 : 56,
    tokens: { usdt: token, jw: token, jwc: token },
    support,
    explorer: null,
    faucet: isDevelopment,
    demo_wallet: isDevelopment,
    walletconnect: null,
  })
  await page.goto('/login/register')
}

test('the demo wallet is offered on the development network only', async ({ page }) => {
  await openOn(page, true)
  await expect(page.getByRole('button', { name: 'Start with a demo wallet' })).toBeEnabled()
  await openOn(page, false)
  await expect(page.getByText('No wallet found in this browser.')).toBeVisible()
  await expect(page.getByRole('main').getByText(/demo|test money/i)).toHaveCount(0)
})
