import { readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { becomeMember, post } from './member.ts'

test.use({ serviceWorkers: 'block' })

test('the export is one file with the profile, the balances, every record, and what is left out', async ({
  page,
  request,
}) => {
  const { username, token } = await becomeMember(page, request)
  await post(request, '/api/wellness/log/', { kind: 'steps', steps: 4321 }, { Token: token })
  await page.goto('/user/profile')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export my data' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('wellplay-my-data.json')
  const data = JSON.parse(await readFile(await file.path(), 'utf8'))
  expect(data.profile.username).toBe(username)
  expect(data.details).toMatchObject({ planamount: '0', TWA: '0' })
  expect(data.records.users).toMatchObject([{ username }])
  expect(data.records.wellness_entries).toMatchObject([{ kind: 'steps', amount: 4321 }])
  expect(data.records.sessions[0]).not.toHaveProperty('token_hash')
  expect(Object.keys(data.withheld)).toContain('referral_flags')
})
