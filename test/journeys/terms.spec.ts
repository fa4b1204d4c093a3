import { expect, test } from '@playwright/test'
import type { Terms } from '../../src/protocol/terms.ts'
import { announceTerms } from './announce-terms.ts'
import { joinWithDemoWallet } from './member.ts'
import { buyOnChain, FINAL_MS, seesActivePlan } from './plan-purchase.ts'

/** No other test buys a Strong plan, and all of them share the terms. */
const withStrongRate = (dailyRatePpm: bigint) => (terms: Terms) => ({
  tiers: terms.tiers.map((tier) => (tier.name === 'Strong' ? { ...tier, dailyRatePpm } : tier)),
})
test.afterAll(() => announceTerms(withStrongRate(2_000n), 0))

/** Time to open a page and read it before the terms change. */
const SECONDS = 25

test('a change is announced, applies on its date, leaves a running plan alone and applies to a new one', async ({
  page,
}) => {
  await joinWithDemoWallet(page)
  await buyOnChain(page, 'Strong', '500')
  await seesActivePlan(page)
  const plans = page.getByRole('region', { name: 'Active plans' }).getByRole('listitem')
  await expect(plans).toContainText(['a day at 0.20%'], { timeout: FINAL_MS })

  await announceTerms(withStrongRate(1_000n), SECONDS)
  const strong = page.locator('label').filter({ has: page.getByRole('radio', { name: /Strong/ }) })
  const announced = page.getByRole('region', { name: 'Announced changes' })
  await test.step('the open page announces it, and still shows the terms in force', async () => {
    await expect(announced).toContainText('the daily rate of Strong is 0.1% instead of 0.2%.')
    await expect(strong).toContainText('0.20%')
  })
  await test.step('at its date the open page shows the new terms', async () => {
    await expect(announced).toBeHidden({ timeout: FINAL_MS })
    await expect(strong).toContainText('0.10%')
    await expect(plans).toContainText(['a day at 0.20%'])
  })
  await test.step('a new plan has the new rate, the running one its own', async () => {
    await buyOnChain(page, 'Strong', '600')
    await expect(plans).toHaveCount(2, { timeout: FINAL_MS })
    await expect(plans.filter({ hasText: '500.00' })).toContainText('a day at 0.20%')
    await expect(plans.filter({ hasText: '600.00' })).toContainText('a day at 0.10%')
  })
})
