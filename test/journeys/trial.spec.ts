import { expect, type Page, test } from '@playwright/test'
import { bank } from '../../src/server/features/quiz/questions/bank.ts'
import { findBarriers } from './barriers.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

/** Calls that the page makes, so that a test can tell what the server was asked. */
function recordCalls(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) calls.push(`${request.method()} ${pathname}`)
  })
  return calls
}

test('from the landing page to a colour round that this browser has checked: two taps, no account', async ({
  page,
}) => {
  const calls = recordCalls(page)
  await page.goto('/')
  await page.getByRole('button', { name: 'Try a round, no sign-up' }).tap()
  const slip = page.getByLabel('Free chips')
  const green = slip.getByRole('button', { name: /^Green/ })
  await expect(slip).toContainText('100 free chips')
  // A visitor who arrives while a round is drawn waits for the next one.
  await expect(green).toBeEnabled({ timeout: 150_000 })
  await green.tap()
  await expect(green).toHaveAttribute('aria-pressed', 'true')
  await expect(slip).toContainText('10 chips on green')
  await expect(slip).toContainText(/Your browser checked round \d+/, { timeout: 150_000 })
  await expect(slip).toContainText(/The seed and block hash give \d+: (green|red|violet)/)
  await expect.poll(() => degreesFromMarkerToDraw(page)).toBeLessThan(1)
  await expect(slip).toContainText(/(110|90) free chips/)
  const proof = slip.getByText(/Your browser checked round/)
  await expect(proof).toBeInViewport()
  expect(await findBarriers(page)).toEqual([])
  // Chips are a number in the browser: the only POST reads a block from the chain.
  expect(calls.filter((call) => call.startsWith('POST') && call !== 'POST /api/rpc/')).toEqual([])
  expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull()
})

/** A number's place on the wheel is 3.6° wide. */
const degreesFromMarkerToDraw = (page: Page) =>
  page.evaluate(() => {
    const middleOf = (selector: string) => {
      const { x, y, width, height } =
        document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect(Number.NaN)
      return { x: x + width / 2, y: y + height / 2 }
    }
    const wheel = middleOf('.wheel')
    const angleOf = (selector: string) => {
      const { x, y } = middleOf(selector)
      return (Math.atan2(y - wheel.y, x - wheel.x) * 180) / Math.PI
    }
    const apart = Math.abs(angleOf('.wheel-marker > span') - angleOf('.wheel-tick[data-drawn="true"]'))
    return Math.min(apart, 360 - apart)
  })

const game = (page: Page) => page.getByRole('dialog', { name: 'Quiz' })

/** Shoots at the right target, or at the next one. */
async function shoot(page: Page, isRight: boolean): Promise<void> {
  const targets = game(page).getByRole('button', { name: /^[1-4] / })
  await expect(targets.first()).toBeEnabled()
  const text = await game(page).getByRole('heading', { level: 2 }).textContent()
  const right = bank.find((question) => question.text === text)?.options[0]
  const names = await targets.evaluateAll((buttons) => buttons.map((button) => button.textContent ?? ''))
  const slot = names.findIndex((name) => name.slice(1) === right)
  // The server refuses shots that are too fast for a human reader.
  await page.waitForTimeout(350)
  await targets.nth(isRight ? slot : (slot + 1) % 4).dispatchEvent('pointerdown', { button: 0 })
  await game(page)
    .getByRole('button', { name: /^(Next|Results)$/ })
    .tap()
}

test('a quiz game without an account is resumed after a reload, and its points are kept by signing up', async ({
  page,
}) => {
  await page.goto('/play/quiz')
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Play', exact: true }).tap()
  await shoot(page, true)
  await page.reload()
  await page.getByRole('button', { name: 'Resume your game' }).tap()
  for (const isRight of [true, false, false, false]) await shoot(page, isRight)
  const results = page.getByRole('region', { name: 'Results' })
  await expect(results).toContainText('2 of 5')
  expect(await findBarriers(page)).toEqual([])
  const keep = results.getByRole('link', { name: /^Keep my [\d,]+ points$/ })
  const score = /[\d,]+/.exec((await keep.textContent()) ?? '')?.[0] ?? ''
  await keep.tap()
  await expect(page.getByText(`Your ${score} points are waiting.`)).toBeVisible()
  await page.getByRole('button', { name: 'Start with a demo wallet' }).tap()
  await page.waitForURL('**/user/home')
  expect(await page.evaluate(() => localStorage.getItem('trial'))).not.toContain('pass')
  await page.goto('/user/quize-game')
  const best = page
    .locator('div')
    .filter({ has: page.getByText('Personal best', { exact: true }) })
    .last()
  await expect(best).toContainText(score)
})
