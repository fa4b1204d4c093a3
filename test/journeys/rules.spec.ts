import { expect, test } from '@playwright/test'
import { joinWithDemoWallet } from './member.ts'

test('the footer of every page leads to help, safe play, terms and privacy, and from there to the books', async ({
  page,
}) => {
  const about = page.getByRole('navigation', { name: 'About' })
  await page.goto('/')
  for (const [link, heading] of [
    ['Help', 'Help'],
    ['Play safely', 'Play safely'],
    ['Terms', 'Terms'],
    ['Privacy', 'Privacy'],
    ['Check our books', "Don't trust us. Check."],
  ] as const) {
    await about.getByRole('link', { name: link }).click()
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
  }
  await joinWithDemoWallet(page)
  await about.getByRole('link', { name: 'Help' }).click()
  await page.getByText('Why is my withdrawal waiting?').click()
  await expect(page.getByText('Large withdrawals wait for an operator')).toBeVisible()
  await page.getByRole('link', { name: 'Open the app' }).click()
  await expect(page).toHaveURL('/user/home')
})

test('the terms show the figures in force, and a link in the contents leads to its section', async ({ page }) => {
  await page.goto('/terms')
  const plans = page.getByRole('region', { name: 'Plans' }).getByRole('table')
  await expect(plans.getByRole('row', { name: /Starter/ })).toContainText('0.10%90 days')
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Changes' }).click()
  await expect(page.getByRole('heading', { name: 'Changes' })).toBeInViewport()
})
