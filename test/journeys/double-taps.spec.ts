import { expect, type Locator, type Page, test } from '@playwright/test'
import { withDatabase } from './database.ts'
import { joinWithDemoWallet, registerMember } from './member.ts'
import { answer, openWith, recordCalls, recordNotices } from './money-pages.ts'
import { FINAL_MS } from './plan-purchase.ts'

// Nothing is faked: a demo wallet, the development chain, a server and its worker.
test.use({ serviceWorkers: 'block' })

/** Two taps before the page can draw anything in between. */
async function doubleTap(button: Locator): Promise<void> {
  await expect(button).toBeEnabled()
  await button.evaluate((element: HTMLElement) => {
    element.click()
    element.click()
  })
}

/** What one user did with money, as the database has it. */
const effectsOf = (wallet: string) =>
  withDatabase(async (client) => {
    const { rows } = await client.query(
      `select (select count(*)::int from chain_payments where from_address = u.wallet_address) as payments,
              (select count(*)::int from plan_orders where user_number = u.number) as plans,
              (select count(*)::int from colour_wallet_moves where user_number = u.number) as moves,
              (select count(*)::int from colour_bets where user_number = u.number) as bets,
              (select count(*)::int from transfers where from_number = u.number) as transfers,
              (select count(*)::int from withdrawals where user_number = u.number) as withdrawals
       from users u where u.wallet_address = $1`,
      [wallet.toLowerCase()],
    )
    return rows[0]
  })

const sheet = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })

test('a double tap on each button that costs money has one effect', async ({ page, request }) => {
  const { wallet_address } = await joinWithDemoWallet(page)
  const friend = await registerMember(request)

  await test.step('add money from the wallet on chain', async () => {
    await page.goto('/user/wallet')
    await page.getByRole('button', { name: 'Add money' }).click()
    await sheet(page, 'Add money').getByLabel('From your wallet on chain').fill('100')
    await doubleTap(sheet(page, 'Add money').getByRole('button', { name: 'Add 100 USDT' }))
    await expect(page.getByText('✓ In your balance')).toBeVisible({ timeout: FINAL_MS })
  })

  await test.step('buy a plan from the wallet on chain, then one from the balance', async () => {
    await page.goto('/user/plans')
    for (const source of ['My wallet', 'My balance']) {
      await page.getByRole('tab', { name: source }).click()
      await doubleTap(page.getByRole('button', { name: 'Buy Starter' }))
      await doubleTap(sheet(page, 'Buy Starter').getByRole('button', { name: 'Pay 10 USDT' }))
      await expect(page.getByText('Your plan has started')).toBeVisible({ timeout: FINAL_MS })
      await expect(page.getByLabel('Starter amount')).toHaveValue('')
      await page.getByRole('button', { name: 'Buy another' }).click()
    }
  })

  await test.step('move money into the bet wallet', async () => {
    await page.goto('/user/color-game')
    await page.getByRole('button', { name: 'Move money' }).click()
    await sheet(page, 'Move money').getByLabel('From your wallet balance').fill('5')
    await doubleTap(sheet(page, 'Move money').getByRole('button', { name: 'Move', exact: true }))
    await expect(sheet(page, 'Move money')).toBeHidden()
    await expect(page.getByLabel('Bet slip')).toContainText('5.00USDT')
  })

  await test.step('bet, then bet more than the bet wallet holds', async () => {
    const slip = page.getByLabel('Bet slip')
    await expect(page.getByLabel('Round', { exact: true }).getByText(/^[234]\d$/)).toBeVisible({ timeout: 150_000 })
    await slip.getByLabel('Amount', { exact: true }).fill('1')
    await doubleTap(slip.getByRole('button', { name: 'Bet 1 USDT on green' }))
    await expect(slip.getByLabel('Amount', { exact: true })).toHaveValue('')
    await expect(slip).toContainText('4.00USDT')
    await slip.getByLabel('Amount', { exact: true }).fill('6')
    await doubleTap(slip.getByRole('button', { name: 'Bet 6 USDT on green' }))
    // The balance has the money, so the sheet offers it first.
    await doubleTap(sheet(page, 'Add money to play').getByRole('button', { name: 'Add 2 USDT and bet' }))
    await expect(slip.getByLabel('Amount', { exact: true })).toHaveValue('', { timeout: 150_000 })
  })

  await test.step('send a transfer', async () => {
    await page.goto('/user/internal-transfer')
    await page.getByLabel('To', { exact: true }).fill(friend.username)
    await page.getByLabel('Amount', { exact: true }).fill('3')
    await doubleTap(page.locator('main').getByRole('button', { name: 'Send', exact: true }))
    await doubleTap(sheet(page, 'Confirm transfer').getByRole('button', { name: 'Sign and send 3 USDT' }))
    await expect(page.getByLabel('Latest transfers')).toContainText('−3.00')
  })

  await test.step('withdraw', async () => {
    await page.goto('/user/wallet')
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await sheet(page, 'Withdraw').getByLabel('Amount', { exact: true }).fill('10')
    await doubleTap(sheet(page, 'Withdraw').getByRole('button', { name: 'Withdraw', exact: true }))
    await doubleTap(sheet(page, 'Confirm withdrawal').getByRole('button', { name: 'Sign and withdraw' }))
    await expect(sheet(page, 'Withdrawal requested')).toBeVisible()
  })

  const effects = { payments: 2, plans: 2, moves: 2, bets: 2, transfers: 1, withdrawals: 1 }
  expect(await effectsOf(wallet_address)).toEqual(effects)
})

test('a double tap on the confirmation of a re top up buys once', async ({ page }) => {
  const calls = recordCalls(page)
  const notices = await recordNotices(page)
  await openWith(page, '/user/re-top-up')
  const order_id = 'order_0190b5a0-0000-7000-8000-000000000002'
  await answer(page, '/gamebuyplan/', { confirmations: 0, confirmations_needed: 0, order_id })
  await answer(page, '/gameupline_referral/', { order_id })
  await page.getByLabel('Amount', { exact: true }).fill('50')
  await page.locator('main').getByRole('button', { name: 'Re Top Up', exact: true }).click()
  await doubleTap(sheet(page, 'Confirm Re Top Up').getByRole('button', { name: 'Confirm' }))
  await expect.poll(notices).toContain('Plan purchased successfully! 🎉')
  expect(calls.map(({ path }) => path)).toEqual(['/gamebuyplan/', '/gameupline_referral/'])
})
