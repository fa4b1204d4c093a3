import { expect, test } from '@playwright/test'
import { phone } from './phone.ts'
import { expectStrictPolicy } from './policy.ts'

test.use(phone)

test('without a project of WalletConnect there is no button, and no request leaves our origin', async ({ page }) => {
  const hosts = new Set<string>()
  page.on('request', (request) => hosts.add(new URL(request.url()).host))
  page.on('websocket', (socket) => hosts.add(new URL(socket.url()).host))
  expectStrictPolicy((await page.goto('/'))?.headers())
  await page.goto('/login/register')
  await page.getByRole('button', { name: 'Start with a demo wallet' }).tap()
  await page.waitForURL('**/user/home')
  await page.evaluate(() => localStorage.clear())
  await page.goto('/login/register')
  await page.getByRole('button', { name: 'Use another wallet' }).tap()
  await expect(page.getByRole('button', { name: 'Start with a demo wallet' })).toBeEnabled()
  await expect(page.getByRole('button', { name: 'WalletConnect' })).toHaveCount(0)
  hosts.delete('')
  expect([...hosts]).toEqual([new URL(page.url()).host])
})
