import { expect, type Page, test } from '@playwright/test'
import { becomeMember } from './member.ts'
import { answer, detailsWith, openWith } from './money-pages.ts'
import { storedUser } from './shell-pages.ts'

test.use({ serviceWorkers: 'block' })

const withdrawal = (index: number, changes: object = {}) => ({
  id: `withdrawal_0190b5a0-0000-7000-8000-${String(index).padStart(12, '0')}`,
  amount: `${index}`,
  fee: '0.5',
  net: `${index}`,
  source: 'wallet',
  address: storedUser.wallet_address.toLowerCase(),
  state: 'paid',
  confirmations: 3,
  confirmations_needed: 3,
  note: null,
  tx_hash: null,
  requested_at: '2026-02-01T10:15:00.000Z',
  changed_at: '2026-02-01T10:16:00.000Z',
  ...changes,
})

/** Serves a page of these rows for each request, and returns what was requested. */
async function serve(page: Page, path: string, rows: object[]): Promise<Record<string, unknown>[]> {
  const requested: Record<string, unknown>[] = []
  await page.route(`**/api${path}`, (route) => {
    const input = route.request().postDataJSON()
    requested.push(input)
    const { page_no, page_size, state } = input
    const matching = rows.filter((row) => state === undefined || (row as { state: string }).state === state)
    const data = matching.slice((page_no - 1) * page_size, page_no * page_size)
    route.fulfill({ json: { status: 'success', Msg: '', data, page_no, page_size, total: matching.length } })
  })
  return requested
}

test('a history has twenty rows a page, filters that start at the first page, and a CSV file of what they leave', async ({
  page,
}) => {
  await openWith(page, '/user/no-such-page')
  const rows = Array.from({ length: 45 }, (_, index) => withdrawal(index + 10))
  const requested = await serve(page, '/withdraw_history/', [...rows, withdrawal(99, { state: 'refused' })])
  const saved: unknown[] = []
  await page.route('**/api/withdraw_history_csv/', (route) => {
    saved.push(route.request().postDataJSON())
    route.fulfill({ json: { status: 'success', Msg: '', file_name: 'withdrawals.csv', csv: 'id\r\n' } })
  })
  await page.goto('/user/withdrawal-history')
  const shown = page.locator('main tbody tr')
  await expect(page.getByText('Page 1 of 3')).toBeVisible()
  await expect(shown).toHaveCount(20)
  const next = page.getByRole('button', { name: 'Next' })
  await next.click()
  await expect(page.getByText('Page 2 of 3')).toBeVisible()
  await expect(shown.first()).toContainText('30.00')
  // The pager stays while a page loads, so the keyboard does not lose its place.
  await expect(next).toBeFocused()
  await page.getByLabel('State').selectOption({ label: 'Refused, money returned' })
  await expect(shown).toHaveCount(1)
  await expect(shown).toContainText('99.00')
  await page.getByLabel('From').fill('2026-02-01')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('withdrawals.csv')
  expect(saved).toEqual([{ state: 'refused', from: '2026-02-01' }])
  // Without repeats: a page is read again when the event stream reconnects.
  expect([...new Map(requested.map((input) => [JSON.stringify(input), input])).values()]).toEqual([
    { page_no: 1, page_size: 20 },
    { page_no: 2, page_size: 20 },
    { page_no: 1, page_size: 20, state: 'refused' },
    { page_no: 1, page_size: 20, state: 'refused', from: '2026-02-01' },
  ])
})

test('filters that match nothing say so and can be cleared, and a day that is not valid yet is not sent', async ({
  page,
}) => {
  await openWith(page, '/user/no-such-page')
  const requested = await serve(page, '/withdraw_history/', [withdrawal(10)])
  await page.goto('/user/withdrawal-history')
  await expect(page.locator('main tbody tr').first()).toContainText('10.00')
  await page.getByLabel('State').selectOption('sent')
  await expect(page.getByText('Nothing matches')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page.locator('main tbody tr').first()).toContainText('10.00')
  await page.getByLabel('From').fill('0002-01-01')
  await expect(page.getByRole('alert')).toHaveText('Choose a day between 1970 and 2999')
  await page.getByLabel('From').fill('2026-02-02')
  await page.getByLabel('To', { exact: true }).fill('2026-02-01')
  await expect(page.getByRole('alert')).toHaveText('Choose a day after the first one')
  expect(requested.filter(({ from }) => from === '0002-01-01')).toEqual([])
})

test('the statement names the other user and the note, and shows every decimal that is not zero', async ({ page }) => {
  const row = (number: number, changes: object) => ({
    number,
    posted_at: '2026-02-01T10:15:00.000Z',
    kind: 'transfer',
    amount: '2.5',
    balance_after: '12.5',
    counterparty: null,
    note: null,
    reference: `0190b5a0-0000-7000-8000-${String(number).padStart(12, '0')}`,
    ...changes,
  })
  const data = [
    row(3, { amount: '-0.000001', counterparty: 'river_otter', note: 'for the run' }),
    row(2, { kind: 'withdrawal', amount: '-10', counterparty: storedUser.wallet_address }),
    row(1, {}),
  ]
  await openWith(page, '/user/no-such-page')
  await answer(page, '/statement/', { data, page_no: 1, page_size: 20, total: 3 })
  await page.goto('/user/balance')
  const rows = page.getByRole('region', { name: 'Transactions' }).locator('tbody tr')
  await expect(rows.nth(0)).toContainText('to river_otter')
  await expect(rows.nth(0)).toContainText('for the run')
  await expect(rows.nth(0)).toContainText('−0.000001')
  await expect(rows.nth(0)).toContainText('12.50')
  await expect(rows.nth(1)).toContainText(`to ${storedUser.wallet_address.slice(0, 6)}`)
  await expect(rows.nth(2)).toContainText('+2.50')
})

test('daily rewards are linked from Home, and the bet wallet’s history is in the colour game and the wallet', async ({
  page,
  request,
}) => {
  await becomeMember(page, request)
  await answer(page, '/detail/', { data: detailsWith() })
  await page.goto('/user/home')
  await page.getByRole('link', { name: 'Daily rewards by plan' }).click()
  await expect(page.getByRole('heading', { name: 'Daily rewards by plan' })).toBeInViewport()
  await expect(page.getByText('No daily rewards yet')).toBeVisible()
  await page.goto('/user/color-game')
  await page.getByRole('tab', { name: 'Bet wallet' }).click()
  await expect(page.getByText('Nothing moved yet')).toBeVisible()
  await page.goto('/user/wallet')
  await expect(page.getByRole('heading', { name: 'Bet wallet history' })).toBeVisible()
})
