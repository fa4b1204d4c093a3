import { expect, test } from '@playwright/test'
import { findBarriers } from './barriers.ts'
import { becomeMember } from './member.ts'
import { phone } from './phone.ts'

test.use(phone)

test('a closed ring is shared with two taps, a visitor sees the card, and the link can be removed', async ({
  page,
  browser,
  request,
}) => {
  const { username } = await becomeMember(page, request)
  await page.goto('/user/games2')
  await page.getByRole('button', { name: 'Log activity' }).tap()
  await page.getByLabel('How many steps?').fill('20000')
  await page.getByRole('dialog').getByRole('button', { name: /^Add/ }).tap()
  await page.getByRole('button', { name: 'Share your rings' }).tap()
  const sheet = page.getByRole('dialog', { name: 'Show it to a friend' })
  const card = sheet.getByRole('img')
  await expect.poll(() => card.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1200)
  expect(await findBarriers(page)).toEqual([])
  const token = /share\/([\w-]{22})\//.exec((await card.getAttribute('src')) ?? '')?.[1]

  const visitor = await (await browser.newContext()).newPage()
  await visitor.goto(`/s/${token}`)
  await expect(visitor.getByRole('heading', { level: 1 })).toContainText(`${username}: `)
  await expect(visitor.getByRole('link', { name: 'Play a round' })).toHaveAttribute('href', '/play/quiz')
  await sheet.getByRole('button', { name: 'Remove link' }).tap()
  await expect(sheet).toBeHidden()
  await visitor.reload()
  await expect(visitor.getByText('This link no longer works')).toBeVisible()
  await visitor.context().close()
})
