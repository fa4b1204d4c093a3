import { expect, test } from '@playwright/test'
import { findBarriers } from './barriers.ts'
import { becomeMember } from './member.ts'
import { still } from './shell-pages.ts'

test.use({ ...still, viewport: { width: 390, height: 844 } })

test('a call can be tried on the page of the API, with the session of the app', async ({ page, request }) => {
  const { wallet_address } = await becomeMember(page, request)
  await page.goto('/api/docs')
  const call = page.locator('details').filter({ has: page.getByText('/api/detail/', { exact: true }) })
  await call.locator('summary').click()
  await call.getByRole('button', { name: 'Send' }).click()
  await expect(call.getByRole('status')).toContainText('200 OK')
  await expect(call.getByRole('status')).toContainText(wallet_address.toLowerCase(), { ignoreCase: true })
  await test.step('a mistake shows what the server says about it', async () => {
    await call.getByLabel('Body').fill('{"planet": "<img src=x>"}')
    await call.getByRole('button', { name: 'Send' }).click()
    await expect(call.getByRole('status')).toContainText('"code": "invalid_input"')
  })
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await findBarriers(page), colorScheme).toEqual([])
  }
})
