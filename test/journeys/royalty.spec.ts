import { expect, type Page, test } from '@playwright/test'
import { withDatabase } from './database.ts'
import { becomeMember } from './member.ts'
import { answer, answerTerms, recordNotices, refusal } from './money-pages.ts'
import { signedIn, still } from './shell-pages.ts'

const royalty = (page: Page) => page.getByRole('region', { name: 'Royalty', exact: true })
const claimOf = (page: Page) => page.getByRole('region', { name: 'Your claim' })
const rows = (page: Page) => royalty(page).locator('tbody tr')

/** Shares of the two months before this one, as the worker would have stored them. Only the newer one can be claimed. */
const addShares = `
  with month as (
    select (date_trunc('month', now() at time zone 'utc') - n * interval '1 month')::date as month, n
    from generate_series(1, 2) as n
  ), closed as (
    insert into royalty_months (month, budget, weight, claimable_until)
    select month, 100000000, 4, (month + interval '2 months')::date - 1 from month
    on conflict do nothing
  )
  insert into royalty_shares (id, month, user_number, rank, volume, weight, amount)
  select new_id(), month, number, 'Silver', 20000000000, 2, 12345678 * n from month, users where username = $1`

test('a member claims the royalty of the last month on the referral page, once, with the keyboard', async ({
  page,
  request,
}) => {
  const notices = await recordNotices(page)
  const { username, token } = await becomeMember(page, request)
  await withDatabase((client) => client.query(addShares, [username]))
  await page.goto('/user/referal')
  await expect(rows(page)).toContainText(['Ready to claim', 'Not claimed in time'])
  await expect(royalty(page)).toContainText('You have no rank yet.')

  const claim = claimOf(page).getByRole('button', { name: 'Claim 12.34 USDT' })
  const [sent] = await Promise.all([page.waitForRequest('**/api/release_royalty/'), claim.press('Enter')])
  expect(sent.postDataJSON()).toEqual({ force_check: true })
  await expect.poll(notices).toContain('Your royalty of 12.345678 USDT is in your referral rewards')
  await expect(claimOf(page)).toContainText('It is in your referral rewards')
  await expect(claim).toHaveCount(0)
  await expect(rows(page)).toContainText(['Claimed', 'Not claimed in time'])
  const details = await request.post('/api/detail/', { headers: { Token: token }, data: {} })
  expect((await details.json()).data.planreff).toBe('12.345678')
})

test.describe('with made-up replies', () => {
  // West of UTC, where a UTC day begins on the day before.
  test.use({ ...still, timezoneId: 'America/Los_Angeles' })

  const share = { month: '2026-02-01', rank: 'Gold', amount: '240', claimable_until: '2026-03-31', paid_at: null }
  const estimate = { month: '2026-03-01', rank: 'Gold', amount: '90', budget: '270', weight: 4, weight_total: 12 }
  const summary = { estimate, last_month: '2026-02-01', last_closed: '2026-02-01', shares: [] as object[] }

  async function open(page: Page, changes: Partial<typeof summary>): Promise<void> {
    await signedIn(page)
    await answerTerms(page)
    await answer(page, '/royalty_summary/', { ...summary, ...changes })
    const team = { direct: 0, members: 0, active: 0, volume: '0', earned: '0', next_rank: null, next_rank_volume: null }
    const data = { ...team, referral_code: 'ABCD2345', rank: 'Gold', hides_figures: true }
    await answer(page, '/referral_summary/', { data })
    await page.goto('/user/referal')
  }

  test('the estimate says that it is one, and how it is computed', async ({ page }) => {
    await open(page, {})
    const month = page.getByRole('region', { name: 'This month' })
    await expect(month).toContainText('March 2026 so far Estimate')
    await expect(month).toContainText('Your rank is Gold.')
    await expect(month).toContainText('you would get 4 of 12 parts of 270.00USDT')
    await expect(month).toContainText('It is not a promise.')
    await expect(claimOf(page)).toContainText('You had no rank at the end of the month.')
  })

  test('a month that is not closed yet and an empty pool are explained', async ({ page }) => {
    await open(page, { last_closed: '2026-01-01' })
    await expect(claimOf(page)).toContainText('February 2026 is being closed')
    await open(page, { shares: [{ ...share, amount: '0', state: 'empty' }] })
    await expect(claimOf(page)).toContainText('The royalty pool was empty at the end of the month.')
  })

  test('of two open months the older one is offered first, and a failure is shown beside the button', async ({
    page,
  }) => {
    const older = { ...share, month: '2026-01-01', amount: '7.5' }
    await open(page, { shares: [share, older].map((one) => ({ ...one, state: 'open' })) })
    await expect(claimOf(page)).toContainText('Your share of January 2026')
    await expect(claimOf(page)).toContainText(
      'Claim it before 31 Mar 2026, 17:00 GMT-7. After that it goes back into the pool.',
    )
    await expect(claimOf(page)).toContainText('You can claim 1 more month after this one.')
    await answer(page, '/release_royalty/', refusal('user_frozen', 'Your account is frozen'), 403)
    await claimOf(page).getByRole('button', { name: 'Claim 7.50 USDT' }).click()
    await expect(claimOf(page).getByRole('alert')).toHaveText('Failed to release royalty: Your account is frozen')
  })

  test('a failed read can be repeated without leaving the page', async ({ page }) => {
    await open(page, {})
    await answer(page, '/royalty_summary/', refusal('forbidden', 'Not now'), 403)
    await page.reload()
    await expect(royalty(page)).toContainText('Not now')
    await answer(page, '/royalty_summary/', summary)
    await royalty(page).getByRole('button', { name: 'Try again' }).click()
    await expect(royalty(page)).toContainText('March 2026 so far')
  })
})
