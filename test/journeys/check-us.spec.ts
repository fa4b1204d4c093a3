import { type APIRequestContext, expect, type Page } from '@playwright/test'
import { findBarriers } from './barriers.ts'
import { changeData, test } from './changed-replies.ts'
import { becomeMember } from './member.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, serviceWorkers: 'block' })

const sheet = (page: Page) => page.getByRole('dialog', { name: 'Check us' })

/** The first round of a new server ends within two minutes, and the first root is published by then. */
const FIRST_MS = 300_000
const untilDrawn = (request: APIRequestContext) =>
  expect
    .poll(async () => (await (await request.get('/api/games/')).json()).total, { timeout: FIRST_MS })
    .toBeGreaterThan(0)

test('the landing page recomputes the latest draw and compares the vault with what is owed, without a tap', async ({
  page,
  request,
}) => {
  await untilDrawn(request)
  await expect
    .poll(async () => (await (await request.get('/api/trust/summary/')).json()).data.snapshot, { timeout: FIRST_MS })
    .not.toBeNull()
  await page.goto('/')
  const card = page.getByRole('button', { name: /Checked by your browser/ })
  await expect(card).toContainText(/Round [\d,]+: (\d+, (green|red|violet)|stakes returned)/)
  await expect(card).toContainText('We hold what we owe')
  await expect(card).toBeInViewport({ ratio: 1 })
  await card.tap()
  await expect(sheet(page)).toContainText(/The vault holds [\d,.]+ USDT in block [\d,]+/)
  await expect(sheet(page)).toContainText(/The root in the vault \(epoch \d+\) is the one we show/)
  await expect(sheet(page)).toContainText('What this cannot show')
  expect(await findBarriers(page)).toEqual([])
  await sheet(page).getByRole('link', { name: 'Trust page' }).tap()
  await expect(page).toHaveURL('/trust')
})

test('the shield in the header breaks on a false draw and on missing money, and says what it could not read', async ({
  page,
  request,
}) => {
  await untilDrawn(request)
  await becomeMember(page, request)
  await changeData(page, '/games/', (rounds: { draw: number }[]) =>
    rounds.map((round, at) => (at === 0 ? { ...round, state: 'settled', draw: (round.draw + 1) % 96 } : round)),
  )
  await changeData(page, '/trust/summary/', (books: object) => ({
    ...books,
    reserves: '0.000001',
    liabilities: '5',
    owed: [{ kind: 'plan', amount: '5' }],
  }))
  await page.goto('/user/no-such-page')
  await page.getByRole('button', { name: 'Check us: Not checked yet' }).tap()
  await expect(sheet(page)).toContainText(/Round \d+ does not match/)
  await expect(sheet(page)).toContainText('By our own figures, we hold less than we owe.')
  await expect(sheet(page).getByRole('status')).toHaveText('Something does not match')

  await page.unrouteAll({ behavior: 'wait' })
  await page.route('**/api/rpc/', (route) => route.fulfill({ status: 502, body: '' }))
  await sheet(page).getByRole('button', { name: 'Check again' }).tap()
  await expect(sheet(page)).toContainText('The chain could not be read.')
  await expect(sheet(page).getByRole('status')).toHaveText('Checked, with open points')
  expect(await findBarriers(page)).toEqual([])
})
