import { expect, test } from '@playwright/test'
import { becomeMember, joinWithDemoWallet, post } from './member.ts'
import { publicPages, userPages } from './page-list.ts'

test('the footer of every page leads to help, safe play, terms and privacy, and from there to the books', async ({
  page,
}) => {
  const about = page.getByRole('navigation', { name: 'About' })
  await page.goto('/')
  for (const [link, heading] of [
    ['Help', 'Help'],
    ['Play safely', 'Play safely'],
    ['Terms', 'Terms'],
    ['Privacy', 'Privacy'],
    ['Check our books', "Don't trust us. Check."],
  ] as const) {
    await about.getByRole('link', { name: link }).click()
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
  }
  await joinWithDemoWallet(page)
  await about.getByRole('link', { name: 'Help' }).click()
  await page.getByText('Why is my withdrawal waiting?').click()
  await expect(page.getByText('Large withdrawals wait for an operator')).toBeVisible()
  await page.getByRole('link', { name: 'Open the app' }).click()
  await expect(page).toHaveURL('/user/home')
})

test('the terms show the figures in force, and a link in the contents leads to its section', async ({ page }) => {
  await page.goto('/terms')
  const plans = page.getByRole('region', { name: 'Plans' }).getByRole('table')
  await expect(plans.getByRole('row', { name: /Starter/ })).toContainText('0.10%90 days')
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Changes' }).click()
  await expect(page.getByRole('heading', { name: 'Changes' })).toBeInViewport()
})

test('every page has the four links in its footer, also the games to try, a shared card and an unknown address', async ({
  page,
  request,
}) => {
  const { token } = await becomeMember(page, request)
  await post(request, '/api/wellness/log/', { kind: 'meal', meal: 'lunch', parts: ['vegetables'] }, { Token: token })
  await post(request, '/api/wellness/log/', { kind: 'steps', steps: 12_000 }, { Token: token })
  const shared = await post(request, '/api/share/', { kind: 'rings' }, { Token: token })
  const links = ['Help', 'Play safely', 'Terms', 'Privacy']
  for (const path of [...publicPages, '/play/colour', '/play/quiz', `/s/${shared.token}`, ...userPages]) {
    await page.goto(path)
    const about = page.getByRole('contentinfo').getByRole('navigation', { name: 'About' })
    for (const name of links)
      await expect(about.getByRole('link', { name, exact: true }), `${name} on ${path}`).toBeVisible()
  }
})
