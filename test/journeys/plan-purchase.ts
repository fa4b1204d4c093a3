import { expect, type Page } from '@playwright/test'
import { parseUsdt } from '../../src/protocol/money.ts'
import { amountText } from '../../src/ui/format.ts'

/** Time for a transfer to become final, three blocks after it was sent. */
export const FINAL_MS = 90_000

export async function buyOnChain(page: Page, tier: string, amount: string): Promise<void> {
  await page.goto('/user/plans')
  await page.getByRole('radio', { name: new RegExp(tier) }).check({ force: true })
  await page.getByLabel(`${tier} amount`).fill(amount)
  await confirmPurchase(page, tier, amount)
}

/** Opens the sheet that names amount, lock and risk, and confirms it. */
export async function confirmPurchase(page: Page, tier: string, amount: string): Promise<void> {
  await page.getByRole('button', { name: `Buy ${tier}` }).click()
  const sheet = page.getByRole('dialog', { name: `Buy ${tier}` })
  await sheet.getByRole('button', { name: `Pay ${amountText(parseUsdt(amount))} USDT` }).click()
}

export const seesActivePlan = (page: Page) => expect(page.getByText(/is active$/)).toBeVisible({ timeout: FINAL_MS })
