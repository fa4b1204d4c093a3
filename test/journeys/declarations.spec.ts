import { expect, test } from '@playwright/test'
import { joinWithDemoWallet } from './member.ts'
import { FINAL_MS } from './plan-purchase.ts'

test.use({ serviceWorkers: 'block' })

test('the first button that spends money confirms the age, and the question does not come again', async ({ page }) => {
  await joinWithDemoWallet(page)
  await page.goto('/user/color-game')
  await expect(page.getByRole('button', { name: /^I'm 18\+ · Bet [\d.]+ USDT on green$/ })).toBeVisible({
    timeout: FINAL_MS,
  })
  await page.goto('/user/plans')
  await page.getByRole('button', { name: 'Buy Starter' }).click()
  const sheet = page.getByRole('dialog', { name: 'Buy Starter' })
  await expect(sheet).toContainText('By paying you confirm that you are 18 or older.')
  await sheet.getByRole('button', { name: "I'm 18+ · Pay 10 USDT", exact: true }).click()
  await expect(page.getByText('Your plan has started')).toBeVisible({ timeout: FINAL_MS })
  await page.goto('/user/plans')
  await page.getByRole('button', { name: 'Buy Starter' }).click()
  await expect(sheet.getByRole('button', { name: 'Pay 10 USDT', exact: true })).toBeVisible()
  await expect(sheet).not.toContainText('18 or older')
  await page.goto('/user/color-game')
  await expect(page.getByRole('button', { name: /^Bet [\d.]+ USDT on green$/ })).toBeVisible({ timeout: FINAL_MS })
})
