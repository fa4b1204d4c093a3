import { expect, type Page, test } from '@playwright/test'
import { answer, detailsWith, openWith, recordCalls, recordNotices, refusal, support } from './money-pages.ts'
import { holdBack, still, storedUser } from './shell-pages.ts'

test.use(still)

// Checks every text, rule and constant of the specification's Re Top Up page in a real browser.
const PATH = '/user/re-top-up'
const wallet = storedUser.wallet_address.toLowerCase()
const orderId = 'order_0190b5a0-0000-7000-8000-000000000002'

const amount = (page: Page) => page.getByLabel('Amount', { exact: true })
const button = (page: Page) => page.locator('main').getByRole('button', { name: 'Re Top Up', exact: true })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Confirm Re Top Up', exact: true })
const confirm = (page: Page) => dialog(page).getByRole('button', { name: 'Confirm', exact: true })

async function acceptCalls(page: Page): Promise<void> {
  await answer(page, '/gamebuyplan/', { confirmations: 0, confirmations_needed: 0, order_id: orderId })
  await answer(page, '/gameupline_referral/', { order_id: orderId })
}

async function submit(page: Page, text: string, source?: string): Promise<void> {
  if (source) await page.getByLabel('Source', { exact: true }).selectOption({ label: source })
  await amount(page).fill(text)
  await button(page).click()
}

test('the page shows the title, wallet, balances, sources and form', async ({ page }) => {
  await openWith(page, PATH, { planreward: '121.609', planreff: '46.5', TWA: '331.85', BWA: '300.1' })
  const main = page.locator('main')
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Re Top Up')
  await expect(main.getByText('Purchase your Plan to your wallet', { exact: true })).toBeVisible()
  await expect(main.getByText(`${wallet.slice(0, 6)}...${wallet.slice(-4)}`)).toBeVisible()
  await expect(main.locator('dl').filter({ hasText: 'TWA' })).toContainText('TWA331.85USDTwithdrawable')
  await expect(main.locator('dl').filter({ hasText: 'BWA' })).toContainText('BWA300.10USDTavailable today')
  await expect(main.locator('label').filter({ hasText: 'Daily Rewards' })).toContainText('121.60USDT')
  await expect(main.locator('label').filter({ hasText: 'Referral Rewards' })).toContainText('46.50USDT')
  await expect(page.getByLabel('Source', { exact: true }).locator('option')).toHaveText([
    'Daily Rewards',
    'Referral Rewards',
  ])
  await expect(page.getByLabel('Balance type')).toHaveText('USDT')
  await expect(main.getByText('reinvest rewards')).toBeVisible()
  await expect(amount(page)).toHaveAttribute('inputmode', 'decimal')
  await expect(amount(page)).toHaveAttribute('min', '10')
  await expect(main.getByText('Minimum 10 USDT')).toBeVisible()
  const address = page.getByRole('textbox', { name: 'Wallet address' })
  await expect(address).toHaveValue(wallet)
  await expect(address).not.toBeEditable()
  await expect(button(page)).toBeDisabled()
  await expect(main.getByRole('link', { name: 'History', exact: true })).toHaveAttribute(
    'href',
    '/user/re-top-up-history',
  )
})

test('both the shortened address and the button copy the wallet address', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const notices = await recordNotices(page)
  await openWith(page, PATH)
  for (const name of [/^Copy address/, 'Copy wallet address']) {
    await page.getByRole('button', { name }).click()
    await expect.poll(notices).toContain('Address copied to clipboard!')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(wallet)
  }
})

test('the cards and the dropdown select the same source', async ({ page }) => {
  await openWith(page, PATH)
  await page.getByRole('radio', { name: /Referral Rewards/ }).check({ force: true })
  await expect(page.getByLabel('Source', { exact: true })).toHaveValue('referral')
  await page.getByLabel('Source', { exact: true }).selectOption('daily')
  await expect(page.getByRole('radio', { name: /Daily Rewards/ })).toBeChecked()
})

test("'Max' fills in the exact largest amount", async ({ page }) => {
  await openWith(page, PATH, { planreward: '12.345678', planreff: '0' })
  await page.getByRole('button', { name: 'Max', exact: true }).click()
  await expect(amount(page)).toHaveValue('12.345678')
  await expect(button(page)).toBeEnabled()
})

test('the amount is a number input whose minimum is minimumamount', async ({ page }) => {
  await openWith(page, PATH, { minimumamount: '12.5' })
  await expect(amount(page)).toHaveAttribute('type', 'number')
  await expect(amount(page)).toHaveAttribute('min', '12.5')
  const isTooLow = () => amount(page).evaluate((input) => (input as HTMLInputElement).validity.rangeUnderflow)
  await amount(page).fill('12.499999')
  expect(await isTooLow()).toBe(true)
  await button(page).click()
  await expect(page.getByRole('alert')).toHaveText('Minimum  amount is 12.5 USDT')
  await amount(page).fill('12.5')
  expect(await isTooLow()).toBe(false)
})

test('only digits and a decimal point can be typed', async ({ page }) => {
  await openWith(page, PATH)
  for (const [typed, left] of [
    ['1e5', '15'],
    ['-12', '12'],
    ['1,5', '1.5'],
    ['1.2345678', '1.234567'],
    ['abc', ''],
  ] as const) {
    await amount(page).fill('')
    await amount(page).pressSequentially(typed)
    await expect(amount(page)).toHaveValue(left)
  }
})

const checks: { name: string; details: object; amount: string; source?: string; says: string }[] = [
  {
    name: 'more than TWA',
    details: { TWA: '100' },
    amount: '100.000001',
    says: 'You cannot withdraw more than your total available balance.',
  },
  {
    name: 'more than BWA',
    details: { BWA: '90' },
    amount: '90.000001',
    says: 'You cannot withdraw more than your total available balance.',
  },
  {
    name: 'more than the cap allows',
    details: { planamount: '4950.5' },
    amount: '49.500001',
    says: 'Maximum investment You can 49.5 USDT',
  },
  {
    name: 'more than the daily rewards',
    details: {},
    amount: '200.000001',
    says: 'Insufficient balance in Daily Rewards wallet',
  },
  {
    name: 'more than the referral rewards',
    details: {},
    amount: '200.000001',
    source: 'Referral Rewards',
    says: 'Insufficient balance in Referral Rewards wallet',
  },
  { name: 'less than the minimum', details: {}, amount: '9.999999', says: 'Minimum  amount is 10 USDT' },
  {
    name: 'an amount that breaks every rule, with the first message',
    details: { TWA: '1', BWA: '1', planamount: '5000', planreward: '0' },
    amount: '2',
    source: 'Daily Rewards',
    says: 'You cannot withdraw more than your total available balance.',
  },
  {
    name: 'an amount above both cap and source, with the message for the cap',
    details: { planamount: '5000', planreward: '0' },
    amount: '2',
    source: 'Daily Rewards',
    says: 'Maximum investment You can 0 USDT',
  },
  {
    name: 'an amount above the source and below the minimum, with the message for the source',
    details: { planreward: '1' },
    amount: '2',
    source: 'Daily Rewards',
    says: 'Insufficient balance in Daily Rewards wallet',
  },
]

for (const check of checks)
  test(`the form refuses ${check.name}`, async ({ page }) => {
    const calls = recordCalls(page)
    await openWith(page, PATH, check.details)
    await submit(page, check.amount, check.source)
    // The specification's text has two spaces, so compare the raw text, not the rendered text.
    await expect.poll(() => page.getByRole('alert').allTextContents()).toContain(check.says)
    await expect(dialog(page)).toBeHidden()
    expect(calls).toEqual([])
  })

test('submitting an empty amount with the keyboard shows an error', async ({ page }) => {
  await openWith(page, PATH)
  await amount(page).fill('1')
  await amount(page).fill('')
  await expect(button(page)).toBeDisabled()
  await page.locator('main form').evaluate((form: HTMLFormElement) => form.requestSubmit())
  await expect(page.getByRole('alert')).toHaveText('Please enter an amount')
})

test('the dialog shows the amount, and Cancel closes it without sending anything', async ({ page }) => {
  const calls = recordCalls(page)
  await openWith(page, PATH)
  await submit(page, '25.000001')
  await expect(dialog(page)).toContainText('25.000001')
  await dialog(page).getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(dialog(page)).toBeHidden()
  expect(calls).toEqual([])
})

const flows = [
  { source: 'Daily Rewards', planamount: '20', main: 5, fee: undefined },
  { source: 'Daily Rewards', planamount: '20.000001', main: 5, fee: 7 },
  { source: 'Referral Rewards', planamount: '20', main: 6, fee: undefined },
  { source: 'Referral Rewards', planamount: '20.000001', main: 6, fee: 8 },
] as const

for (const { source, planamount, main, fee } of flows)
  test(`a top-up from ${source} on a plan of ${planamount} makes ${fee ? 'three calls' : 'two calls'}`, async ({
    page,
  }) => {
    const calls = recordCalls(page)
    const notices = await recordNotices(page)
    await openWith(page, PATH, { planamount })
    await acceptCalls(page)
    await submit(page, '100', source)
    const reloaded = page.waitForRequest('**/api/detail/')
    await confirm(page).click()
    await expect.poll(notices).toContain('Plan purchased successfully! 🎉')
    await reloaded
    await expect(dialog(page)).toBeHidden()
    await expect(amount(page)).toHaveValue('')

    const purchase = { from_address: wallet, to_address: support, trans_hash: expect.stringMatching(/^internal.+/) }
    const first = { ...purchase, usdt_amount: fee ? '90' : '100', gross_amount: '100', package_type: main }
    const second = { ...purchase, usdt_amount: '10', package_type: fee }
    expect(calls).toEqual([
      { path: '/gamebuyplan/', body: first },
      { path: '/gameupline_referral/', body: { purchase_amount: '100' } },
      ...(fee ? [{ path: '/gamebuyplan/', body: second }] : []),
    ])
    if (fee) expect(calls[0]?.body['trans_hash']).not.toBe(calls[2]?.body['trans_hash'])
  })

test('while the purchase is processing, the buttons are disabled and a spinner is shown', async ({ page }) => {
  await openWith(page, PATH)
  await acceptCalls(page)
  const release = await holdBack(page, /gamebuyplan/)
  await submit(page, '50')
  await confirm(page).click()
  await expect(confirm(page)).toBeDisabled()
  await expect(confirm(page)).toHaveAttribute('aria-busy', 'true')
  await expect(confirm(page).locator('svg')).toBeVisible()
  await expect(page.locator('main form button[type=submit]')).toBeDisabled()
  await expect(dialog(page).getByRole('button', { name: 'Cancel', exact: true })).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeVisible()
  release()
})

const failures = [
  {
    name: 'the message from the server',
    status: 400,
    body: refusal('insufficient_balance', 'Insufficient balance in Daily Rewards wallet'),
    says: 'Insufficient balance in Daily Rewards wallet',
  },
  {
    name: 'a default message if the server sends none',
    status: 400,
    body: refusal('invalid_input', ''),
    says: 'Payment processing failed',
  },
  {
    name: 'an error if the server is unavailable',
    status: 503,
    body: refusal('unavailable', 'No server'),
    says: 'Error processing withdrawal request',
  },
]

for (const { name, status, body, says } of failures)
  test(`a failed purchase stops the flow and shows ${name}`, async ({ page }) => {
    const calls = recordCalls(page)
    const notices = await recordNotices(page)
    await openWith(page, PATH, { planamount: '100' })
    await acceptCalls(page)
    await answer(page, '/gamebuyplan/', body, status)
    await submit(page, '50')
    await confirm(page).click()
    await expect.poll(notices).toContain(says)
    await expect(dialog(page)).toBeHidden()
    await expect(amount(page)).toHaveValue('')
    expect(calls).toHaveLength(1)
  })

test('a failed details request shows an error and can be retried', async ({ page }) => {
  await openWith(page, '/user/no-such-page')
  await answer(page, '/detail/', refusal('invalid_input', 'No'), 400)
  await page.goto(PATH)
  await expect(page.getByText('Error fetching details', { exact: true })).toBeVisible()
  await answer(page, '/detail/', { data: detailsWith() })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(amount(page)).toBeVisible()
})
