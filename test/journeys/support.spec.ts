import { expect, type Page, test } from '@playwright/test'
import { becomeMember } from './member.ts'
import { ops } from './ops.ts'

test.use({ serviceWorkers: 'block' })

async function open(page: Page) {
  await page.goto('/user/healthsupport')
  await page.getByRole('heading', { name: 'Health Support' }).waitFor()
}

async function write(page: Page, subject: string, text: string) {
  await page.getByRole('button', { name: 'New request' }).click()
  const form = page.getByRole('dialog', { name: 'Write to us' })
  await form.getByLabel('Subject').fill(subject)
  await form.getByLabel('Your message').fill(text)
  return form
}

test('the operator answers a request, and the open page shows the answer immediately', async ({ page, request }) => {
  const { username } = await becomeMember(page, request)
  await open(page)
  const form = await write(page, 'My freeze', 'When do I get one?')
  await form.getByRole('button', { name: 'Send' }).click()
  const thread = page.getByRole('dialog', { name: 'My freeze' })
  await expect(thread).toContainText('When do I get one?')
  const line = (await ops('support', 'list')).split('\n').find((text) => text.includes(username))
  await ops('support', 'answer', line?.split(' ')[0] ?? '', 'With every seventh day.', '--as', 'anna')
  await expect(thread).toContainText('With every seventh day.')
  await thread.getByRole('button', { name: 'Close request' }).click()
  await expect(thread).toContainText('This request is closed')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('region', { name: 'Support requests' })).toContainText('Closed')
})

test('a message that sounds like a crisis shows contacts before it is sent, and is never blocked', async ({
  page,
  request,
}) => {
  await becomeMember(page, request)
  await open(page)
  const form = await write(page, 'Hello', 'I don’t want to live any more')
  await expect(form.getByRole('alert', { name: 'Help in a crisis' })).toContainText('You are not alone')
  await form.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByRole('dialog', { name: 'Hello' })).toContainText('You are not alone')
  expect((await ops('support', 'list')).split('\n')[0]).toContain('URGENT')
})

test('the health balance shows what is missing, and a stretch guide runs to the end', async ({ page, request }) => {
  await becomeMember(page, request)
  await open(page)
  await expect(page.getByRole('region', { name: 'Health balance' })).toContainText('10 more challenges within 30 days')
  await page.getByRole('button', { name: /^Desk reset/ }).click()
  const guide = page.getByRole('dialog', { name: 'Desk reset' })
  await expect(guide).toContainText('1 of 4')
  await guide.getByRole('button', { name: 'Pause' }).click()
  for (let step = 0; step < 4; step++) await guide.getByRole('button', { name: 'Next' }).click()
  await guide.getByRole('button', { name: 'Done' }).click()
  await expect(guide).not.toBeVisible()
})
