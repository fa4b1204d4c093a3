import { expect, type Page, test } from '@playwright/test'
import { becomeMember, registerMember } from './member.ts'
import { userPages } from './page-list.ts'
import { phone } from './phone.ts'
import { readShifts, readWhileShown, recordShifts, settle, settleAtOnce } from './shifts.ts'

test.use(phone)

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

for (const path of ['/trust', '/help', '/privacy', ...userPages])
  test(`${path} does not move when what it reads arrives`, async ({ page, request }) => {
    if (path.startsWith('/user')) await becomeMember(page, request)
    await recordShifts(page)
    for (const top of [0, 350]) {
      await readWhileShown(page, path, top)
      await expectStood(page)
    }
  })

for (const width of [390, 768, 1440])
  test(`the landing page does not move when it is scrolled at once, ${width} px wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 })
    await expectStill(page, '/', settleAtOnce)
  })

test('the landing page does not move when what it reads arrives after it was scrolled to', async ({ page }) => {
  const replies = Promise.withResolvers<void>()
  await page.route('**/api/**', async (route) => {
    await replies.promise
    await route.fallback()
  })
  await recordShifts(page)
  await page.goto('/')
  await page.locator('footer').scrollIntoViewIfNeeded()
  await page.locator('#marketplace').scrollIntoViewIfNeeded()
  replies.resolve()
  await expect(page.locator('#marketplace')).toContainText('90 days')
  await expectStood(page)
})

async function expectStill(page: Page, path: string, scroll = settle): Promise<void> {
  await recordShifts(page)
  await page.goto(path, { waitUntil: 'commit' })
  await scroll(page)
  await expectStood(page)
}

/** The sum of all layout shifts is at least the page's CLS. It is no timing. */
async function expectStood(page: Page): Promise<void> {
  const { sum, moved } = await readShifts(page)
  expect(sum, moved.join('\n')).toBeLessThanOrEqual(SHIFT_MAX)
}
