import { expect, type Page, test } from '@playwright/test'
import { becomeMember, registerMember } from './member.ts'
import { readShifts, recordShifts, settle } from './shifts.ts'

test.use({ serviceWorkers: 'block', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

const SHIFT_MAX = 0.05

for (const path of ['/login/register', '/referral/NOBODY00', '/terms'])
  test(`${path} does not move while it loads`, async ({ page }) => {
    await expectStill(page, path)
  })

test('an invitation does not move while it loads', async ({ page, request }) => {
  const { token } = await registerMember(request)
  const me = await request.post('/api/auth/me/', { headers: { Token: token }, data: {} })
  await expectStill(page, `/referral/${(await me.json()).data.referral_code}`)
})

for (const path of ['/user/home', '/user/balance'])
  test(`${path} does not move while it loads`, async ({ page, request }) => {
    await becomeMember(page, request)
    await expectStill(page, path)
  })

/** The sum of all layout shifts is at least the page's CLS. It is no timing. */
async function expectStill(page: Page, path: string): Promise<void> {
  await recordShifts(page)
  await page.goto(path)
  await settle(page)
  const { sum, moved } = await readShifts(page)
  expect(sum, moved.join('\n')).toBeLessThanOrEqual(SHIFT_MAX)
}
