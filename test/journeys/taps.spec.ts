import { expect, type Locator, type Page, test } from '@playwright/test'
import { findBarriers } from './barriers.ts'
import { phone } from './phone.ts'
import { FINAL_MS } from './plan-purchase.ts'

// Nothing is faked: a demo wallet, the development chain, a real round. Only the replies to each tap are held back.
test.use(phone)

const TAPS_MAX = 9

test('nine taps lead from the landing page to a plan, a colour round with money and its proof, and each changes something in view before any reply', async ({
  page,
}) => {
  const { tap, count } = await counted(page)
  await page.goto('/')
  await tap(page.getByRole('button', { name: 'Start Playing' }))
  await tap(page.getByRole('button', { name: 'Start with a demo wallet' }))
  await page.waitForURL('**/user/home', { timeout: FINAL_MS })

  await tap(page.getByRole('link', { name: /^Choose .*plan/ }).first())
  await tap(page.getByRole('button', { name: 'Buy Starter' }))
  const sheet = page.getByRole('dialog', { name: 'Buy Starter' })
  await expect(sheet).toContainText('10 USDT')
  await expect(sheet).toContainText('Locked for90 days')
  await expect(sheet).toContainText(/Back in your balance on\d+ \w+ 20\d\d/)
  await expect(sheet).toContainText('Rewards are not guaranteed')
  expect(await findBarriers(page)).toEqual([])
  await tap(sheet.getByRole('button', { name: 'Pay 10 USDT' }))
  await expect(page.getByLabel('Starter amount')).toHaveValue('')
  await expect(page.getByText('Your plan has started')).toBeVisible({ timeout: FINAL_MS })

  await tap(page.getByRole('link', { name: 'Play a round' }))
  const betButton = page.getByRole('button', { name: /^Bet [\d.]+ USDT on green$/ })
  // The bet wallet and the balance are empty: the sheet brings the money and places the bet.
  await expect(betButton).toBeEnabled({ timeout: 90_000 })
  await tap(betButton)
  expect(await findBarriers(page)).toEqual([])
  await tap(page.getByRole('dialog').getByRole('button', { name: /^Add [\d.]+ USDT and bet$/ }))
  const bet = page.getByRole('region', { name: 'Your bets' }).locator('tbody tr')
  await expect(bet.getByText(/Won|Lost|Refunded/)).toHaveCount(1, { timeout: 180_000 })
  const round = await bet.getByRole('cell').nth(1).textContent()

  await tap(page.getByRole('button', { name: new RegExp(`^Round ${round}: .*, checked$`) }))
  await expect(page.getByRole('dialog', { name: `Round ${round}` })).toContainText('Recomputed in your browser')
  expect(count()).toBeLessThanOrEqual(TAPS_MAX)
})

/**
 * Taps, and counts the taps. From each tap on, no reply of the server reaches the page until something in view has
 * changed: what the user sees first does not depend on the network.
 */
async function counted(page: Page) {
  let taps = 0
  let gate = Promise.withResolvers<void>()
  gate.resolve()
  await page.route('**/*', async (route) => {
    await gate.promise
    await route.fallback()
  })
  const tap = async (target: Locator) => {
    await expect(target).toBeEnabled()
    await target.scrollIntoViewIfNeeded()
    gate = Promise.withResolvers()
    const changed = await watchView(page)
    await target.tap()
    taps++
    await changed()
    gate.resolve()
  }
  return { tap, count: () => taps }
}

/**
 * Watches for an element that appears in the viewport, or one there that opens, closes or becomes busy. Texts do not
 * count: a countdown changes them without a tap.
 */
async function watchView(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const isSeen = (node: Node) => {
      if (!(node instanceof Element) || !node.isConnected) return false
      const { top, bottom, width, height } = node.getBoundingClientRect()
      return width > 0 && height > 0 && bottom > 0 && top < innerHeight
    }
    const changed = new Promise<void>((resolve) => {
      const observer = new MutationObserver((records) => {
        if (
          !records.some(({ type, target, addedNodes }) =>
            (type === 'attributes' ? [target] : [...addedNodes]).some(isSeen),
          )
        )
          return
        observer.disconnect()
        resolve()
      })
      const attributeFilter = ['disabled', 'aria-busy', 'open']
      observer.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter })
    })
    Object.assign(window, { changed })
  })
  return () => page.evaluate(() => (window as unknown as { changed: Promise<void> }).changed)
}
