import { type Browser, expect, test } from '@playwright/test'
import { post, registerMember } from './member.ts'

test.use({ serviceWorkers: 'block' })

/** A page on a device in this zone, with what its local storage holds. */
async function openIn(browser: Browser, timezoneId: string, stored: Record<string, string>) {
  const page = await (await browser.newContext({ timezoneId })).newPage()
  await page.addInitScript((entries) => {
    for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value)
  }, stored)
  await page.goto('/user/games2')
  return page
}

test('days follow the device that travels, a new device asks first, and the profile can change the zone', async ({
  browser,
  request,
}) => {
  const { account, ...member } = await registerMember(request)
  const user = JSON.stringify(member)
  const zoneOf = async () => (await post(request, '/api/wellness/today/', {}, { Token: member.token })).data.zone

  const tokyo = await openIn(browser, 'Asia/Tokyo', { user })
  await expect(tokyo.getByText('· Tokyo time')).toBeVisible()
  await tokyo.goto('/user/plans')
  await expect(tokyo.getByText('midnight UTC (09:00 your time)').first()).toBeVisible()
  await tokyo.context().close()

  // The same device after a flight.
  const berlin = await openIn(browser, 'Europe/Berlin', { user, zone: 'Asia/Tokyo' })
  await expect(berlin.getByText('· Berlin time')).toBeVisible()
  await berlin.context().close()

  // Another device, in another zone: nothing changes until its owner decides.
  const other = await openIn(browser, 'America/New_York', { user })
  const note = other.getByRole('region', { name: 'Your time zone' })
  await expect(note).toContainText('Your days follow Berlin time, but this device is on New York time.')
  await note.getByRole('button', { name: 'Keep Berlin' }).click()
  await expect(note).toBeHidden()
  expect(await zoneOf()).toBe('Europe/Berlin')

  await other.goto('/user/profile')
  await other.getByLabel('Time zone').selectOption('America/New_York')
  await other.getByRole('button', { name: 'Use this time zone' }).click()
  await expect(other.getByText('Your days follow this time zone now')).toBeVisible()
  expect(await zoneOf()).toBe('America/New_York')
  await other.context().close()
})
