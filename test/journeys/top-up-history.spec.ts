import { expect, type Page, test } from '@playwright/test'
import { answer, answerHistory, historyRow, openWith, refusal } from './money-pages.ts'
import { still } from './shell-pages.ts'

test.use(still)

const PATH = '/user/re-top-up-history'

const cells = (page: Page) => page.locator('main tbody tr')
const previous = (page: Page) => page.getByRole('button', { name: 'Previous', exact: true })
const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true })

test('the page shows its title, its columns and five rows per page', async ({ page }) => {
  await openWith(page, '/user/no-such-page')
  await answerHistory(
    page,
    Array.from({ length: 12 }, (_, index) =>
      historyRow(index + 1, index % 2 ? 'Referral Re Top Up' : 'Daily Re Top Up'),
    ),
  )
  await page.goto(PATH)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Re-Rop-Up History')
  await expect(page.getByText('Track all your Re-Top-Up status', { exact: true })).toBeVisible()
  await expect(page.locator('main thead th')).toHaveText(['#', 'Amount', 'Type', 'Date'])
  await expect(cells(page)).toHaveCount(5)
  await expect(cells(page).first()).toContainText('1.25')
  await expect(cells(page).first()).toContainText('Daily Re Top Up')
  await expect(cells(page).first()).toContainText('Feb 2026')
  await expect(page.getByText('Page 1', { exact: true })).toBeVisible()
  await expect(previous(page)).toBeDisabled()
  await next(page).click()
  await expect(page.getByText('Page 2', { exact: true })).toBeVisible()
  await expect(cells(page).first().locator('td').first()).toHaveText('6')
  await next(page).click()
  await expect(cells(page)).toHaveCount(2)
  await expect(next(page)).toBeDisabled()
  await previous(page).click()
  await expect(page.getByText('Page 2', { exact: true })).toBeVisible()
})

test('on a phone every row is a card and fits the screen', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openWith(page, '/user/no-such-page')
  await answerHistory(page, [historyRow(1, 'Daily Re Top Up')])
  await page.goto(PATH)
  const row = cells(page).first()
  await expect(row).toContainText('Daily Re Top Up')
  const { edge, boxes } = await row.evaluate((element) => ({
    edge: element.closest('section')?.getBoundingClientRect().right ?? 0,
    boxes: [...element.querySelectorAll('td')].map((cell) => cell.getBoundingClientRect().toJSON() as DOMRect),
  }))
  expect(boxes.map(({ right }) => right <= edge)).toEqual([true, true, true, true])
  expect(boxes.map(({ top }) => top)).toEqual(boxes.map(({ top }) => top).toSorted((a, b) => a - b))
  expect(new Set(boxes.map(({ top }) => top)).size).toBe(4)
})

test('rows whose plan name contains JWC, JW or USDT are hidden', async ({ page }) => {
  await openWith(page, '/user/no-such-page')
  const names = ['USDT Starter', 'Daily Re Top Up', 'JWC plan', 'A JW plan', 'Referral Re Top Up Fee', 'USDT']
  await answerHistory(
    page,
    names.map((name, index) => historyRow(index + 1, name)),
  )
  await page.goto(PATH)
  await expect(cells(page)).toHaveCount(2)
  await expect(cells(page).nth(0)).toContainText('Daily Re Top Up')
  await expect(cells(page).nth(1)).toContainText('Referral Re Top Up Fee')
})

test('the pager fetches more server pages until it has five more rows or none are left', async ({ page }) => {
  await openWith(page, '/user/no-such-page')
  const names = (index: number) => (index < 48 || index >= 100 ? 'USDT Starter' : 'Daily Re Top Up')
  const requested = await answerHistory(
    page,
    Array.from({ length: 130 }, (_, index) => historyRow(index, names(index))),
  )
  await page.goto(PATH)
  await expect(cells(page).filter({ hasText: 'Daily Re Top Up' })).toHaveCount(5)
  expect(requested).toEqual([1, 2])
  for (let at = 2; at <= 11; at++) await next(page).click()
  await expect(page.getByText('Page 11', { exact: true })).toBeVisible()
  await expect(cells(page)).toHaveCount(2)
  await expect(next(page)).toBeDisabled()
  expect(requested).toEqual([1, 2, 3])
})

test('an empty history shows a message', async ({ page }) => {
  await openWith(page, '/user/no-such-page')
  await answerHistory(page, [])
  await page.goto(PATH)
  await expect(page.getByText('No internal transfer history available', { exact: true })).toBeVisible()
  await expect(previous(page)).toBeDisabled()
  await expect(next(page)).toBeDisabled()
})

test('a failed history request shows an error', async ({ page }) => {
  await openWith(page, '/user/no-such-page')
  await answer(page, '/planhistory/', refusal('invalid_input', 'The list is being sorted'), 400)
  await page.goto(PATH)
  await expect(page.getByText('Error fetching plan history', { exact: true })).toBeVisible()
  await expect(page.getByText('Backend error: The list is being sorted', { exact: true })).toBeVisible()
})
