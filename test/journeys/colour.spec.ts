import { expect, test } from '@playwright/test'

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
