import { expect, test } from '@playwright/test'

/** A whole round by hand: money in, a bet, the draw, the result, and the tick of this browser's own check. */
test('deposit → bet wallet → bet → draw → result, recomputed in the browser', async ({ page }) => {
  test.setTimeout(300_000)
  await page.goto('/login/register')
  await page.getByRole('button', { name: 'Start with a demo wallet' }).click()
  await page.waitForURL('**/user/home')
  await page.goto('/user/wallet')
  await page.getByLabel('Deposit amount').fill('100')
  await page.getByRole('button', { name: 'Deposit', exact: true }).click()
  await page.getByRole('button', { name: 'Another deposit' }).waitFor({ timeout: 90_000 })

  await page.goto('/user/color-game')
  await page.getByRole('button', { name: 'Move money' }).click()
  await page.getByLabel('From your wallet balance').fill('60')
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(page.getByText('The money is in your bet wallet')).toBeVisible()

  // Both colours that pay twice: whatever is drawn, the outcome is known to the cent.
  const slip = page.getByLabel('Bet slip')
  // Enough of a round left for both bets: one that comes too late is refused, and rightly.
  await expect(page.getByLabel('Round', { exact: true }).getByText(/^[234]\d$/)).toBeVisible({ timeout: 75_000 })
  for (const colour of ['Green', 'Red']) {
    await slip.getByText(colour, { exact: true }).click()
    await slip.getByRole('button', { name: 'Set the amount to 5 USDT' }).click()
    await expect(slip).toContainText('48 in 100')
    await expect(slip).toContainText('0.2 USDT')
    const bet = slip.getByRole('button', { name: `Bet 5 USDT on ${colour.toLowerCase()}` })
    await bet.click()
    await expect(page.getByText(`5 USDT on ${colour.toLowerCase()}`, { exact: true })).toBeVisible()
  }
  const bets = page.getByRole('region', { name: 'Your bets' })
  await expect(bets.getByText(/won|lost|refunded/)).toHaveCount(2, { timeout: 150_000 })
  await expect(page.getByRole('button', { name: /^Round \d+: .*, checked$/ }).first()).toBeVisible()
  await expect(page.getByRole('button', { name: /does not fit/ })).toHaveCount(0)
})

test('a limit acts at once and the server keeps to it; a break cannot be shortened', async ({ page }) => {
  await page.goto('/login/register')
  await page.getByRole('button', { name: 'Start with a demo wallet' }).click()
  await page.waitForURL('**/user/home')
  await page.goto('/user/color-game')
  await page.getByRole('button', { name: 'Set the daily stake limit' }).click()
  await page.getByLabel('At most, per day (UTC)').fill('3')
  await page.getByRole('button', { name: 'Set limit' }).click()
  await expect(page.getByText('Your new limit acts now')).toBeVisible()
  await expect(page.getByLabel('Play within your limits')).toContainText('of 3.00 USDT')
  await page.getByRole('button', { name: 'Take a break' }).click()
  await page.getByText('7 days', { exact: true }).click()
  await page.getByRole('button', { name: 'Out for 7 days' }).click()
  await expect(page.getByText(/You excluded yourself until/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Betting is closed' })).toBeDisabled()
})
