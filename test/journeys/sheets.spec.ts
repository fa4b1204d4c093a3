import { expect, type Page } from '@playwright/test'
import { findBarriers } from './barriers.ts'
import { changeReply, test } from './changed-replies.ts'
import { joinWithDemoWallet, registerMember } from './member.ts'
import { phone } from './phone.ts'
import { FINAL_MS } from './plan-purchase.ts'

// Every sheet that a new user can open. The others are checked where a test reaches them: a purchase, re top up,
// referrals, a deletion, WalletConnect.
test.use({ ...phone, reducedMotion: 'reduce' })

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()
const pressIn = (page: Page, sheet: string, name: string) =>
  dialog(page, sheet).getByRole('button', { name, exact: true }).click()

/** Soft, so that one run lists the violations of all sheets. */
async function check(page: Page, name: string): Promise<void> {
  await expect(dialog(page, name)).toBeVisible()
  await expect(dialog(page, name).locator('.animate-rest')).toHaveCount(0)
  const overflow = await dialog(page, name).evaluate((sheet) => sheet.scrollWidth - sheet.clientWidth)
  expect.soft(overflow, `${name}: content wider than the sheet`).toBeLessThanOrEqual(0)
  expect.soft(await findBarriers(page), name).toEqual([])
}

async function checkAndClose(page: Page, name: string): Promise<void> {
  await check(page, name)
  await page.keyboard.press('Escape')
  await expect(dialog(page, name)).toHaveCount(0)
}

test('sheets about money have no serious accessibility violations in either theme', async ({ page, request }) => {
  await joinWithDemoWallet(page)
  const friend = await registerMember(request)
  await page.goto('/user/wallet')
  await press(page, 'Add money')
  await dialog(page, 'Add money').getByText('Exchange', { exact: true }).click()
  await expect(dialog(page, 'Add money').getByRole('img').first()).toBeVisible()
  await check(page, 'Add money')
  await dialog(page, 'Add money').getByText('My wallet', { exact: true }).click()
  await dialog(page, 'Add money').getByLabel('From your wallet on chain').fill('100')
  await check(page, 'Add money')
  await pressIn(page, 'Add money', 'Add 100 USDT')
  await expect(page.getByText('✓ In your balance')).toBeVisible({ timeout: FINAL_MS })

  await press(page, 'Move')
  await checkAndClose(page, 'Move money')
  await press(page, 'Withdraw')
  await dialog(page, 'Withdraw').getByLabel('Amount', { exact: true }).fill('10')
  await check(page, 'Withdraw')
  await pressIn(page, 'Withdraw', 'Withdraw')
  await check(page, 'Confirm withdrawal')
  await pressIn(page, 'Confirm withdrawal', 'Sign and withdraw')
  await checkAndClose(page, 'Withdrawal requested')

  await page.goto('/user/internal-transfer')
  await page.getByLabel('To', { exact: true }).fill(friend.username)
  await page.getByLabel('Amount', { exact: true }).fill('3')
  await page.locator('main').getByRole('button', { name: 'Send', exact: true }).click()
  await checkAndClose(page, 'Confirm transfer')
})

test('the other sheets have no serious accessibility violations in either theme', async ({ page }) => {
  await joinWithDemoWallet(page)
  await test.step('profile', async () => {
    await page.goto('/user/profile')
    await press(page, 'Sign out everywhere')
    await checkAndClose(page, 'Sign out everywhere?')
    await press(page, 'Set the daily loss limit')
    await checkAndClose(page, 'Daily loss limit')
    await press(page, 'Take a break')
    await checkAndClose(page, 'Take a break')
    await press(page, 'Change wallet')
    await pressIn(page, 'Change wallet', 'Make a second demo wallet')
    await expect(dialog(page, 'Change wallet').getByLabel('Address of your new wallet')).toHaveValue(/^0x/)
    await check(page, 'Change wallet')
    await pressIn(page, 'Change wallet', 'Sign with your current wallet')
    await expect(dialog(page, 'Change wallet')).toContainText('Your current wallet has signed.')
    await checkAndClose(page, 'Change wallet')
  })
  await test.step('wellness', async () => {
    await page.goto('/user/games2')
    await press(page, 'Log a meal')
    await checkAndClose(page, 'Log a healthy meal')
    await press(page, 'Breathe')
    await checkAndClose(page, 'Take a breath')
    await changeReply(page, '/wellness/log/', (body) => ({
      ...body,
      gain: { ...(body['gain'] as object), level_before: 1, level_after: 2 },
    }))
    await press(page, 'Log activity')
    await dialog(page, 'Log activity').getByLabel('How many steps?').fill('20000')
    await check(page, 'Log activity')
    await pressIn(page, 'Log activity', 'Add 20,000 steps')
    await checkAndClose(page, 'Level 2!')
  })
  await test.step('support', async () => {
    await changeReply(page, '/support/health/', (body) => ({ ...body, balance: '25', challenges_done: 12 }))
    await page.goto('/user/healthsupport')
    await press(page, 'Release to wallet')
    await checkAndClose(page, 'Release your health balance')
    await press(page, /^Desk reset/)
    await pressIn(page, 'Desk reset', 'Pause')
    await checkAndClose(page, 'Desk reset')
    await press(page, 'New request')
    await dialog(page, 'Write to us').getByLabel('Subject').fill('Hello')
    await dialog(page, 'Write to us').getByLabel('Your message').fill('I don’t want to live any more')
    await check(page, 'Write to us')
    await pressIn(page, 'Write to us', 'Send')
    await checkAndClose(page, 'Hello')
  })
  await test.step('game', async () => {
    const playing_since = new Date(Date.now() - 61 * 60_000).toISOString()
    await changeReply(page, '/colour/limits/', (body) => ({
      ...body,
      data: { ...(body['data'] as object), playing_since, playing_net: '-3' },
    }))
    await page.goto('/user/color-game')
    await checkAndClose(page, 'Time for a break?')
    await press(page, /^Round \d+: .*, checked$/)
    await checkAndClose(page, 'Round')
  })
})
