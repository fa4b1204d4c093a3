import { expect, type Page, test } from '@playwright/test'
import { dayOf } from '../../src/protocol/time.ts'
import { challengesOf } from '../../src/protocol/wellness-day.ts'
import { becomeMember } from './member.ts'
import { zipOf } from './zip.ts'

test.use({ serviceWorkers: 'block' })

const DAY_MS = 86_400_000
const daysAgo = (days: number) => dayOf(new Date(Date.now() - days * DAY_MS))
const stepsGoal = () => challengesOf(dayOf(new Date()))[0]?.goals[0]?.amount ?? 0

async function open(page: Page) {
  await page.goto('/user/games2')
  await page.getByRole('heading', { name: 'Daily Challenges' }).waitFor()
}

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('logging steps closes a ring, starts a streak and survives a reload', async ({ page, request }) => {
  await becomeMember(page, request)
  await open(page)
  await expect(card(page, 'Your streak')).toContainText('0 days')
  const score = page.locator('aside').getByRole('progressbar', { name: 'Wellness Score' })
  await expect(score).toHaveAttribute('aria-valuenow', '65')
  await card(page, 'Activity').getByRole('button', { name: 'Log activity' }).click()
  const dialog = page.getByRole('dialog', { name: 'Log activity' })
  await dialog.getByLabel('How many steps?').fill(String(stepsGoal()))
  // The notice disappears after two seconds, so start waiting before the click.
  const notice = page.getByText('Ring closed! +20 points').waitFor()
  await dialog.getByRole('button', { name: /^Add/ }).click()
  await notice
  await expect(card(page, 'Activity')).toContainText('Closed')
  await expect(card(page, 'Your streak')).toContainText('1 day')
  await expect(score).toHaveAttribute('aria-valuenow', '66')
  await page.reload()
  await expect(card(page, 'Activity')).toContainText('Closed')
  await expect(card(page, 'Your streak')).toContainText('Today is safe')
})

test('a meal can be logged and removed by keyboard', async ({ page, request }) => {
  await becomeMember(page, request)
  await open(page)
  await card(page, 'Nutrition').getByRole('button', { name: 'Log a meal' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Log a healthy meal' })
  await dialog.getByRole('radio', { name: 'Lunch' }).press('Space')
  await dialog.getByRole('checkbox', { name: 'Vegetables' }).press('Space')
  await dialog.getByRole('button', { name: 'Log lunch' }).press('Enter')
  await page.getByRole('button', { name: 'Remove Lunch: vegetables' }).press('Enter')
  await expect(page.getByText('Nothing logged yet')).toBeVisible()
})

test('a breathing exercise is not counted when the browser clock is moved forward', async ({ page, request }) => {
  await becomeMember(page, request)
  await page.clock.install()
  await open(page)
  await card(page, 'Mindfulness').getByRole('button', { name: 'Breathe' }).click()
  const room = page.getByRole('dialog')
  await room.getByRole('button', { name: 'Begin' }).click()
  await expect(room.getByText('Breathe in')).toBeVisible()
  await page.clock.fastForward('05:00')
  await expect(room.getByText('Well done')).toBeVisible()
  for (let attempt = 0; attempt < 6; attempt++) {
    await page.waitForTimeout(200)
    await page.clock.fastForward(1_100)
  }
  await expect(page.getByText(/Stay with it: \d+ more seconds/)).toBeVisible()
  await room.getByRole('button', { name: 'Close' }).click()
  await expect(card(page, 'Mindfulness')).not.toContainText('Closed')
})

const record = (day: string, steps: number) =>
  `<Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" startDate="${day} 08:00:00 +0100" value="${steps}"/>`
const exportOf = (doctype: string, records: string) =>
  `<?xml version="1.0"?>\n<!DOCTYPE HealthData [${doctype}]>\n<HealthData locale="en">\n${records}\n</HealthData>`

test('a zipped export is read in the browser and imported; bad files show a reason and change nothing', async ({
  page,
  request,
}) => {
  await becomeMember(page, request)
  await open(page)
  const records = [0, 1, 2, 40].map((days) => record(daysAgo(days), 12_000)).join('\n')
  const input = card(page, 'Import').locator('input[type=file]')
  const choose = (name: string, buffer: Buffer) => input.setInputFiles({ name, mimeType: 'application/zip', buffer })
  const whole = exportOf('<!ELEMENT HealthData ANY>', records)
  for (const [name, buffer, reason] of [
    ['export.xml', Buffer.from(exportOf('<!ENTITY a "b">', records)), 'declares entities'],
    ['export.xml', Buffer.from(whole.slice(0, -20)), 'incomplete'],
    ['export.zip', zipOf('export.xml', whole).subarray(0, 200), 'damaged or incomplete'],
    ['photo.jpg', Buffer.from([0xff, 0xd8, 0, 0, 0, 0]), 'not a text file'],
  ] as const) {
    await choose(name, buffer)
    await expect(card(page, 'Import').getByRole('alert')).toContainText(reason)
  }
  await expect(page.getByText('No activity yet')).toBeVisible()

  await choose('export.zip', zipOf('apple_health_export/export.xml', whole))
  await expect(card(page, 'Import')).toContainText('Apple Health: 4 days')
  await card(page, 'Import').getByRole('button', { name: 'Import', exact: true }).click()
  await expect(card(page, 'Import')).toContainText('4 days imported, 4 new entries')
  await expect(card(page, 'Activity')).toContainText('Closed')
  await expect(card(page, 'Your streak')).toContainText('2 days')
  await choose('export.zip', zipOf('apple_health_export/export.xml', whole))
  await card(page, 'Import').getByRole('button', { name: 'Import', exact: true }).click()
  await expect(card(page, 'Import')).toContainText('All 4 days were already imported')
})

test('a user can join the friends’ board and leave it again', async ({ page, request }) => {
  const { username } = await becomeMember(page, request)
  await open(page)
  await page.getByRole('button', { name: 'Join the board' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: username })).toContainText('You')
  await page.getByRole('button', { name: 'Leave the board' }).click()
  await expect(page.getByText('Better together')).toBeVisible()
})
