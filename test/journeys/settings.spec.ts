import { expect, type Locator, test } from '@playwright/test'
import { findBarriers } from './barriers.ts'
import { becomeMember } from './member.ts'
import { store } from './shell-pages.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

test('theme, motion and sound are settings of the profile, work at once and survive a reload', async ({
  page,
  request,
}) => {
  await becomeMember(page, request)
  await page.goto('/user/profile')
  await page.getByText('Dark', { exact: true }).tap()
  await page.getByRole('switch', { name: /^Reduce motion/ }).tap()
  await expect(page.getByRole('switch', { name: /^Sounds/ })).toBeChecked()
  await page.getByRole('switch', { name: /^Sounds/ }).tap()
  const root = page.locator('html')
  for (const _ of ['at once', 'after a reload']) {
    await expect(root).toHaveAttribute('data-theme', 'dark')
    await expect(root).toHaveAttribute('data-motion', 'reduced')
    await expect(page.getByRole('switch', { name: /^Reduce motion/ })).toBeChecked()
    await expect(page.getByRole('switch', { name: /^Sounds/ })).not.toBeChecked()
    await page.reload()
  }
  expect(await findBarriers(page)).toEqual([])
  await page.goto('/user/color-game')
  await expect(page.getByRole('button', { name: 'Turn sound on' })).toBeVisible()
})

/** What is drawn around the letter. */
const ringIn = (place: Locator): Promise<string> =>
  place
    .locator('svg[viewBox="0 0 40 40"]')
    .first()
    .evaluate((drawing) => drawing.innerHTML)

test('the avatar is drawn from the wallet, in the header as in the profile, and differs for another wallet', async ({
  page,
  browser,
  request,
}) => {
  await becomeMember(page, request)
  await page.goto('/user/profile')
  const own = await ringIn(page.locator('main'))
  expect(await ringIn(page.locator('header'))).toBe(own)
  const other = await browser.newPage()
  await becomeMember(other, request)
  await other.goto('/user/profile')
  expect(await ringIn(other.locator('main'))).not.toBe(own)
  await other.close()
})

test('a chosen avatar is shown in the header and in the profile, also on another device', async ({
  page,
  browser,
  request,
}) => {
  const { account, ...user } = await becomeMember(page, request)
  await page.goto('/user/profile')
  const header = page.locator('header')
  const letter = await ringIn(header)
  await page.getByRole('button', { name: 'Change avatar' }).tap()
  const sheet = page.getByRole('dialog', { name: 'Your avatar' })
  expect(await findBarriers(page)).toEqual([])
  await sheet.getByRole('radio', { name: 'Cat' }).check({ force: true })
  await expect(page.getByText('Your avatar is saved')).toBeVisible()
  await sheet.getByRole('button', { name: 'Done' }).tap()
  await expect.poll(() => ringIn(header)).not.toBe(letter)
  expect(await ringIn(page.locator('main'))).toBe(await ringIn(header))
  const elsewhere = await browser.newContext()
  const second = await elsewhere.newPage()
  await store(second, 'user', JSON.stringify(user))
  await second.goto('/user/profile')
  const chosen = await ringIn(header)
  await expect.poll(() => ringIn(second.locator('header'))).toBe(chosen)
  await elsewhere.close()
})

test('a choice shows at the tap, stays while it is saved and read again, and falls back only if saving fails', async ({
  page,
  request,
}) => {
  await becomeMember(page, request)
  await page.goto('/user/profile')
  const shown = page.getByRole('switch', { name: 'Show me on the quiz leaderboards' })
  await expect(shown).toBeChecked()
  const { promise: slowRead, resolve: read } = Promise.withResolvers<void>()
  await page.route('**/api/quiz/leaderboard/**', async (route) => {
    await slowRead
    await route.continue()
  })
  const saved = page.waitForResponse('**/api/quiz/visibility/')
  await shown.uncheck()
  await saved
  await expect(shown).not.toBeChecked()
  read()
  await expect(page.getByText('Only you can see your scores now')).toBeVisible()
  await expect(shown).not.toBeChecked()
  await page.route('**/api/quiz/visibility/', (route) => route.abort())
  await shown.check()
  await expect(shown).not.toBeChecked()
})
