import { expect, type Page, test } from '@playwright/test'
import { joinWithDemoWallet } from './member.ts'
import { answer, developmentChain, openWith, refusal } from './money-pages.ts'
import { FINAL_MS } from './plan-purchase.ts'
import { still, store } from './shell-pages.ts'

const money = (page: Page) => page.getByLabel('Your money', { exact: true })
const slip = (page: Page) => page.getByLabel('Bet slip')
const sheet = (page: Page) => page.getByRole('dialog', { name: 'Add money to play' })
const HASH = `0x${'ab'.repeat(32)}`

const progress = (status: string, Msg: string, confirmations: number) => ({
  status,
  Msg,
  confirmations,
  confirmations_needed: 3,
})
const waiting = {
  direction: 'deposit',
  source: 'chain',
  amount: '25',
  trans_hash: HASH,
  state: 'pending',
  date: '2026-02-01T10:15:00.000Z',
}
const game = {
  now: '2026-02-01T10:15:00.000Z',
  round: null,
  next_opens_at: '2026-02-01T10:16:00.000Z',
  bets: [],
  bet_balance: '0',
  wallet_balance: '100',
  closed_because: null,
}

async function openWallet(page: Page, changes: { moves?: object[]; closed_because?: string } = {}) {
  const { moves = [], closed_because = null } = changes
  await openWith(page, '/user/no-such-page')
  await answer(page, '/chain/', developmentChain)
  await answer(page, '/betwallet_history/**', { data: moves, page_no: 1, page_size: 50, total: moves.length })
  await answer(page, '/active-game/', { data: { ...game, closed_because } })
  await page.goto('/user/wallet')
}

test.describe('with a real chain', () => {
  test.use({ serviceWorkers: 'block' })

  test('USDT goes from the wallet on chain straight into the bet wallet, with its progress shown', async ({ page }) => {
    await joinWithDemoWallet(page)
    await page.goto('/user/color-game')
    await slip(page).getByRole('button', { name: 'Add', exact: true }).click()
    await sheet(page).getByLabel('From your wallet on chain').fill('25.000001')
    await sheet(page).getByRole('button', { name: 'Add 25.000001 USDT' }).click()
    await expect(slip(page)).toContainText('25.000001USDT')
    await expect(slip(page)).toContainText('✓ In your bet wallet', { timeout: FINAL_MS })
    await slip(page).getByRole('button', { name: 'Dismiss' }).click()
    await expect(slip(page).getByText('✓ In your bet wallet')).toHaveCount(0)
    await expect(slip(page)).toContainText('25.00USDT')
    await page.goto('/user/wallet')
    await expect(money(page).locator('dl')).toContainText('Bet wallet25.00USDT')
    const moves = page.getByRole('region', { name: 'Bet wallet, newest first' }).locator('tbody tr')
    const move = moves.filter({ hasText: '+25.000001' })
    await expect(move).toContainText('From your wallet on chain')
    await expect(move).toContainText('Done')
  })
})

test.describe('with made-up replies', () => {
  test.use(still)

  test('a deposit sent before the browser was closed is posted after a reload, and the server’s list survives the next', async ({
    page,
  }) => {
    await store(page, 'bet-deposits', JSON.stringify([{ trans_hash: HASH, usdt_amount: '25' }]))
    const posted: unknown[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/betwallet/') posted.push(request.postDataJSON())
    })
    await openWallet(page, { moves: [waiting] })
    await answer(page, '/betwallet/', progress('pending', 'Your deposit is on its way.', 1))
    await expect(money(page).getByRole('progressbar', { name: '1 of 3 confirmations' })).toBeVisible()
    expect(posted[0]).toEqual({ direction: 'deposit', source: 'chain', amount: '25', trans_hash: HASH })
    // The server has the hash, so this browser no longer keeps it.
    expect(await page.evaluate(() => localStorage.getItem('bet-deposits'))).toBe('[]')
    await page.reload()
    await expect(money(page).getByRole('progressbar', { name: '1 of 3 confirmations' })).toBeVisible()
    await answer(page, '/betwallet/', progress('success', 'The money is in your bet wallet', 0))
    await expect(money(page)).toContainText('✓ In your bet wallet')
  })

  test('the list of moves stays in view when reading it again fails', async ({ page }) => {
    await openWallet(page, { moves: [waiting] })
    const move = page.getByRole('region', { name: 'Bet wallet, newest first' }).getByText('+25')
    await expect(move).toBeVisible()
    await answer(page, '/betwallet_history/**', refusal('unavailable', 'No list now'), 503)
    // A minute later the user comes back to the page, so it reads again.
    await page.clock.setFixedTime(Date.now() + 60_000)
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await expect(page.getByText('Backend error: No list now')).toBeVisible()
    await expect(move).toBeVisible()
  })

  test('a refused deposit says why and where the money is', async ({ page }) => {
    await store(page, 'bet-deposits', JSON.stringify([{ trans_hash: HASH, usdt_amount: '25' }]))
    await openWallet(page)
    await answer(page, '/betwallet/', refusal('already_recorded', 'Transaction already recorded'), 400)
    await expect(money(page)).toContainText('Transaction already recorded')
    await expect(money(page)).toContainText('it goes to your wallet balance')
    await money(page).getByRole('button', { name: 'Dismiss' }).click()
    await page.reload()
    await expect(money(page).getByText('Move', { exact: true })).toBeVisible()
    await expect(money(page).getByText('Transaction already recorded')).toHaveCount(0)
  })

  test('nothing is sent from the chain while the game is closed to the user', async ({ page }) => {
    await openWallet(page, { closed_because: 'You excluded yourself until 8 February.' })
    await page.goto('/user/color-game')
    await slip(page).getByRole('button', { name: 'Add', exact: true }).click()
    await sheet(page).getByText('My wallet', { exact: true }).click()
    await sheet(page).getByLabel('From your wallet on chain').fill('25')
    await expect(sheet(page).getByRole('alert')).toHaveText('You excluded yourself until 8 February.')
    await expect(sheet(page).getByRole('button', { name: 'Add', exact: true })).toBeDisabled()
  })

  test('forged deposits in local storage break nothing', async ({ page }) => {
    await store(page, 'bet-deposits', '[{"trans_hash":7,"usdt_amount":"1e9"}]')
    await openWallet(page)
    await expect(money(page).getByRole('button', { name: 'Move' })).toBeVisible()
  })
})
