import { createHash, createHmac } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { drawOf } from '../../src/protocol/colour-draw.ts'
import { colourOf } from '../../src/protocol/colour-odds.ts'
import { findBarriers } from './barriers.ts'
import { changeData, test } from './changed-replies.ts'
import { becomeMember } from './member.ts'
import { recordNotices } from './money-pages.ts'

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  /** A whole round: move money in, bet in two tabs, wait for the draw, see the verdict and the browser's own check. */
  test('deposit → bet wallet → bet → draw → result, recomputed in the browser', async ({ page, context }) => {
    const notices = await recordNotices(page)
    await page.goto('/login/register')
    await page.getByRole('button', { name: 'Start with a demo wallet' }).tap()
    await page.waitForURL('**/user/home')
    await page.goto('/user/wallet')
    await page.getByRole('button', { name: 'Add money' }).tap()
    await page.getByLabel('From your wallet on chain').fill('100')
    await page.getByRole('button', { name: 'Add 100 USDT' }).tap()
    await page.getByText('✓ In your balance').waitFor({ timeout: 150_000 })

    await page.goto('/user/color-game')
    await page.getByRole('button', { name: 'Move money' }).tap()
    await page.getByLabel('From your wallet balance').fill('60')
    await page.getByRole('button', { name: 'Move', exact: true }).tap()
    await expect.poll(notices).toContain('The money is in your bet wallet')
    const other = await context.newPage()
    await other.goto('/user/color-game')

    const stage = page.getByLabel('Round', { exact: true })
    // Wait until enough of the round is left for both bets. A late bet is refused.
    await expect(stage.getByText(/^[234]\d$/)).toBeVisible({ timeout: 150_000 })
    await betFive(page, 'Green')
    await expect.poll(notices).toContain('5 USDT on green')
    await expect(page.locator('.wheel-chip')).toHaveText(['5'])
    // The first page is not told of this bet before the draw.
    await betFive(other, 'Red')
    await expect(other.getByRole('list', { name: 'Your bets in this round' })).toContainText('5.00')

    // Wherever the user has scrolled, the draw is in view.
    await page.getByRole('heading', { name: 'Play within your limits' }).scrollIntoViewIfNeeded()
    const mini = page.getByRole('button', { name: /Show the wheel$/ })
    await expect(mini).toBeInViewport({ ratio: 1 })
    await expect(mini).toHaveAccessibleName(/^Round \d+: (\d+, (green|red|violet)|stakes returned)\./, {
      timeout: 150_000,
    })
    await mini.tap()
    // Both bets count: one of the two colours wins back what the other loses, and violet loses both.
    const verdict = stage.getByText(/(You broke even|Not this time: −10\.00 USDT|Your stakes were returned)\./)
    await expect(verdict).toBeVisible()
    await expect(stage.getByRole('list', { name: 'What your browser checked' })).toContainText(/The seed hashes/)
    await expect(page.getByRole('button', { name: /^Round \d+: .*, checked$/ }).first()).toBeVisible()
    await expect(page.getByRole('button', { name: /does not match/ })).toHaveCount(0)
    // Countdown or result, verdict, proof and slip share one screen.
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
    await expect(mini).toHaveCount(0)
    const slip = await page.getByLabel('Bet slip').boundingBox()
    const panel = await stage.getByRole('list', { name: 'What your browser checked' }).boundingBox()
    expect((panel?.y ?? 999) + (panel?.height ?? 999)).toBeLessThanOrEqual(slip?.y ?? 0)
    await expect(page.getByLabel('Bet slip').getByRole('button', { name: /^Bet/ })).toBeInViewport({ ratio: 1 })
    const bets = page.getByRole('region', { name: 'Your bets' })
    await expect(bets.getByText(/Won|Lost|Refunded/)).toHaveCount(2)
    expect(await findBarriers(page)).toEqual([])
  })
})

async function betFive(page: Page, colour: string): Promise<void> {
  const slip = page.getByLabel('Bet slip')
  await slip.getByText(colour, { exact: true }).tap()
  await slip.getByRole('button', { name: 'Set the amount to 5 USDT' }).tap()
  await expect(slip).toContainText('48 in 100')
  await expect(slip).toContainText('0.2 USDT')
  await slip.getByRole('button', { name: `Bet 5 USDT on ${colour.toLowerCase()}` }).tap()
}

test('a lower limit takes effect immediately, and taking a break closes betting', async ({ page }) => {
  const notices = await recordNotices(page)
  await page.goto('/login/register')
  await page.getByRole('button', { name: 'Start with a demo wallet' }).click()
  await page.waitForURL('**/user/home')
  await page.goto('/user/color-game')
  await page.getByRole('button', { name: 'Set the daily stake limit' }).click()
  await page.getByLabel('Limit per day (UTC)').fill('3')
  await page.getByRole('button', { name: 'Set limit' }).click()
  await expect.poll(notices).toContain('Your new limit is in effect now')
  await expect(page.getByLabel('Play within your limits')).toContainText('of 3.00 USDT')
  await page.getByRole('button', { name: 'Take a break' }).click()
  await page.getByText('7 days', { exact: true }).click()
  await page.getByRole('button', { name: 'Exclude me for 7 days' }).click()
  await expect(page.getByText(/You excluded yourself until/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Betting is closed' })).toBeDisabled()
})

test('the browser marks the one tampered result of fifty, and only the strip scrolls sideways', async ({
  page,
  request,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const { anchor, rounds } = await fiftyRounds()
  const changed = rounds.map((round) => (round.number === 20 ? { ...round, draw: (round.draw + 1) % 96 } : round))
  // Block live events: this server's real rounds belong to another hash chain.
  await page.route('**/api/events/**', (route) => route.abort())
  await page.route('**/api/games/*', (route) =>
    route.fulfill({ json: { status: 'success', Msg: '', data: changed, page_no: 1, page_size: 50, total: 50 } }),
  )
  const chains = [{ anchor, first_round: 1, length: 1_000, published_at: new Date(0).toISOString() }]
  // The page is opened before the chain is published, and reads it when the rounds need it.
  const replies = [[], chains]
  await changeData<object>(page, '/colour/fairness/', (data) => ({ ...data, chains: replies.shift() ?? chains }))
  await becomeMember(page, request)
  await page.goto('/user/color-game')
  const strip = page.getByRole('list', { name: 'Last results' })
  await expect(strip.getByRole('button', { name: /^Round \d+: .*, checked$/ })).toHaveCount(49)
  await expect(strip.getByRole('button', { name: /does not match/ })).toHaveAccessibleName(/^Round 20:/)
  await strip.getByRole('button', { name: /^Round 20:/ }).click()
  await expect(page.getByRole('dialog')).toContainText(/The seed and block hash give \d+, not \d+/)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
})

/** Fifty rounds as a server would draw them, newest first, and the anchor it would have published. */
async function fiftyRounds() {
  const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest()
  const hmac = async (key: Uint8Array, message: string) => createHmac('sha256', key).update(message).digest()
  const chain = [Buffer.alloc(32, 'the last seed')]
  for (let step = 0; step < 50; step++) chain.push(sha256(chain.at(-1) as Buffer))
  const seeds = chain.toReversed()
  const rounds = await Promise.all(
    Array.from({ length: 50 }, async (_, at) => {
      const number = 50 - at
      const seed = seeds[number] as Buffer
      const block_hash = `0x${sha256(seed).toString('hex')}`
      const draw = await drawOf(hmac, seed, number, block_hash)
      const opened = Date.UTC(2030, 0, 1, 0, number)
      return {
        number,
        opens_at: new Date(opened).toISOString(),
        closes_at: new Date(opened + 45_000).toISOString(),
        state: 'settled',
        bets: 0,
        stakes: { green: '0', red: '0', violet: '0' },
        block_number: number,
        block_hash,
        seed: seed.toString('hex'),
        draw,
        color: colourOf(draw),
        finished_at: new Date(opened + 55_000).toISOString(),
      }
    }),
  )
  return { anchor: (seeds[0] as Buffer).toString('hex'), rounds }
}
