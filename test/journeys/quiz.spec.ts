import { expect, type Page, test } from '@playwright/test'
import { bank } from '../../src/server/features/quiz/questions/bank.ts'
import { findBarriers } from './barriers.ts'
import { becomeMember } from './member.ts'
import { phone } from './phone.ts'

async function open(page: Page) {
  await page.goto('/user/quize-game')
  await page.getByRole('heading', { name: 'Quiz', exact: true }).waitFor()
}

const game = (page: Page) => page.getByRole('dialog', { name: 'Quiz' })
const targets = (page: Page) => game(page).getByRole('button', { name: /^[1-4] / })
const next = (page: Page) => game(page).getByRole('button', { name: /^(Next|Results)$/ })

/** Waits for an open question and returns the slot of its answer, from 0. */
async function findAnswer(page: Page): Promise<number> {
  await expect(targets(page).first()).toBeEnabled()
  // Read in one call, because the question stays open for seconds only.
  const { text, names } = await game(page).evaluate((arena) => ({
    text: arena.querySelector('h2')?.textContent,
    names: [...arena.querySelectorAll('button')]
      .map(({ textContent }) => textContent ?? '')
      .filter((name) => /^[1-4]/.test(name)),
  }))
  const question = bank.find((candidate) => candidate.text === text)
  const slot = names.findIndex((name) => name.slice(1) === question?.options[0])
  expect(slot, `the answer to “${text}” is among ${names}`).toBeGreaterThanOrEqual(0)
  // The server refuses shots that are too fast for a human reader.
  await page.waitForTimeout(350)
  return slot
}

/** Plays to the end with a script inside the page, so that a slow test machine does not miss questions. */
async function playOn(page: Page): Promise<void> {
  const answers = Object.fromEntries(bank.map(({ text, options }) => [text, options[0]]))
  await page.evaluate(async (rightByText) => {
    const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
    const press = (key: string) => dispatchEvent(new KeyboardEvent('keydown', { key }))
    for (;;) {
      await wait(60)
      const arena = document.querySelector('dialog[open]')
      if (!arena) return
      const buttons = [...arena.querySelectorAll('button')]
      buttons.find(({ textContent }) => /^(Next|Results)$/.test(textContent ?? ''))?.click()
      const right = rightByText[arena.querySelector('h2')?.textContent ?? '']
      const target = buttons.find(({ textContent, disabled }) => !disabled && textContent?.slice(1) === right)
      if (!target) continue
      await wait(360)
      press(target.textContent?.[0] ?? '')
    }
  }, answers)
}

test('a player answers all questions by keyboard, reaches the last level and tops the leaderboard', async ({
  page,
  request,
}) => {
  const { username } = await becomeMember(page, request)
  await open(page)
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  for (const _ of [1, 2, 3]) {
    await page.keyboard.press(String((await findAnswer(page)) + 1))
    await expect(next(page)).toBeFocused()
    await page.keyboard.press('Enter')
  }
  await playOn(page)
  const results = page.getByRole('region', { name: 'Results' })
  await expect(results).toContainText('A perfect run, all the way to the end')
  await expect(results).toContainText('25 of 25')
  await expect(results).toContainText('New personal best')
  await expect(results).toContainText('+100 experience points')
  const score = Number((await results.getByRole('heading').textContent())?.replaceAll(',', ''))
  expect(score).toBeGreaterThan(15_000)
  expect(await page.evaluate(() => localStorage.getItem('score'))).toBe(String(score))
  await expect(page.getByRole('listitem').filter({ hasText: `${username} · you` })).toBeVisible()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  test('taps, power-ups and a pause work, and three mistakes end the game', async ({ page, request }) => {
    await becomeMember(page, request)
    await open(page)
    expect(await findBarriers(page)).toEqual([])
    await page.getByText('Sleep', { exact: true }).click()
    await page.getByRole('button', { name: 'Play', exact: true }).tap()
    let right = await findAnswer(page)
    await expect(game(page).getByText('Sleep', { exact: true })).toBeVisible()
    await game(page)
      .getByRole('button', { name: /^Fifty-fifty/ })
      .tap()
    await expect(targets(page).and(page.locator(':enabled'))).toHaveCount(2)
    await targets(page).nth(right).dispatchEvent('pointerdown', { button: 0 })
    await expect(next(page)).toBeVisible()
    await next(page).tap()

    await findAnswer(page)
    await game(page)
      .getByRole('button', { name: /^Slow time/ })
      .tap()
    await game(page)
      .getByRole('button', { name: /^Pause/ })
      .tap()
    await expect(game(page).getByRole('alertdialog')).toContainText('Take a breath')
    expect(await findBarriers(page)).toEqual([])
    await game(page).getByRole('button', { name: 'Keep playing' }).tap()

    for (const lives of [2, 1, 0]) {
      right = await findAnswer(page)
      await targets(page)
        .nth((right + 1) % 4)
        .dispatchEvent('pointerdown', { button: 0 })
      await expect(game(page).getByText(`${lives} of 3 lives`)).toBeAttached()
      await expect(game(page).getByText(/^Not quite/)).toBeVisible()
      await next(page).tap()
    }
    await expect(page.getByRole('region', { name: 'Results' })).toContainText('1 of 4')
    expect(await findBarriers(page)).toEqual([])
  })

  test('a game interrupted by a reload can be resumed', async ({ page, request }) => {
    await becomeMember(page, request)
    await open(page)
    await page.getByRole('button', { name: 'Play', exact: true }).tap()
    await targets(page)
      .nth(await findAnswer(page))
      .dispatchEvent('pointerdown', { button: 0 })
    await expect(next(page)).toBeVisible()
    const score = await page.evaluate(() => localStorage.getItem('score'))
    await page.reload()
    await page.getByRole('button', { name: 'Resume your game' }).tap()
    await expect(game(page).locator('header')).toContainText(Number(score).toLocaleString('en'))
    await findAnswer(page)
    await game(page).getByRole('button', { name: 'Leave the game' }).tap()
    await game(page).getByRole('button', { name: 'End game' }).tap()
    await expect(page.getByRole('region', { name: 'Results' })).toContainText(Number(score).toLocaleString('en'))
  })
})

test.describe('a duel on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  test('a friend answers a duel link without signing up and gets the same question', async ({
    page,
    browser,
    request,
  }) => {
    const { username } = await becomeMember(page, request)
    await open(page)
    await page.getByRole('button', { name: 'Play', exact: true }).tap()
    const right = await findAnswer(page)
    const asked = await game(page).locator('h2').textContent()
    await targets(page).nth(right).dispatchEvent('pointerdown', { button: 0 })
    await expect(next(page)).toBeVisible()
    await game(page).getByRole('button', { name: 'Leave the game' }).tap()
    await game(page).getByRole('button', { name: 'End game' }).tap()
    await page.getByRole('button', { name: 'Challenge a friend' }).tap()
    const src = await page.getByRole('dialog', { name: 'Show it to a friend' }).getByRole('img').getAttribute('src')

    const away = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
    const friend = await away.newPage()
    await friend.goto(`/s/${/share\/([\w-]{22})\//.exec(src ?? '')?.[1]}`)
    await expect(friend.getByRole('heading', { level: 1 })).toContainText(`${username}: Beat my`)
    expect(await findBarriers(friend)).toEqual([])
    await friend.getByRole('link', { name: 'Accept the duel' }).tap()
    await friend.getByRole('button', { name: 'Play', exact: true }).tap()
    const answer = await findAnswer(friend)
    expect(await game(friend).locator('h2').textContent()).toBe(asked)
    await targets(friend).nth(answer).dispatchEvent('pointerdown', { button: 0 })
    await expect(next(friend)).toBeVisible()
    await game(friend).getByRole('button', { name: 'Leave the game' }).tap()
    await game(friend).getByRole('button', { name: 'End game' }).tap()
    await expect(
      friend.getByText(new RegExp(`You beat ${username}|A draw: ${username}|${username} keeps`)),
    ).toBeVisible()
    await away.close()
  })
})

/** Runs in the page. Lists what is not wholly in the window, and targets that cover each other. */
function listMisfits(arena: Element): string[] {
  const nameOf = (element: Element) => element.textContent || element.className
  const parts = [...arena.querySelectorAll('button, .arena-launcher, h2')]
  const outside = parts.filter((part) => {
    const { top, left, bottom, right } = part.getBoundingClientRect()
    return top < 0 || left < 0 || bottom > innerHeight || right > innerWidth
  })
  const targets = parts.filter((part) => /^[1-4]/.test(nameOf(part)))
  const covered = targets.filter((target, index) => {
    const mine = target.getBoundingClientRect()
    return targets.slice(index + 1).some((other) => {
      const { top, left, bottom, right } = other.getBoundingClientRect()
      return top < mine.bottom && bottom > mine.top && left < mine.right && right > mine.left
    })
  })
  return [...outside.map((part) => `outside: ${nameOf(part)}`), ...covered.map((part) => `covered: ${nameOf(part)}`)]
}

test.describe('on small phones', () => {
  test.use({ ...phone, reducedMotion: 'reduce' })

  test('targets, power-ups, launcher and pause are wholly in view, upright and on its side', async ({ page }) => {
    await page.goto('/play/quiz')
    await page.getByRole('button', { name: 'Play', exact: true }).tap()
    await findAnswer(page)
    for (const [width, height] of [
      [390, 667],
      [360, 640],
      [320, 568],
      [667, 375],
    ] as const) {
      await page.setViewportSize({ width, height })
      await expect.poll(() => game(page).evaluate(listMisfits), `${width} × ${height} px`).toEqual([])
    }
  })
})

test('targets stay still for users who prefer reduced motion', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/login/register')
  await page.getByRole('button', { name: 'Start with a demo wallet' }).click()
  await page.waitForURL('**/user/home')
  await open(page)
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await findAnswer(page)
  const before = await targets(page).first().boundingBox()
  await page.waitForTimeout(400)
  expect(await targets(page).first().boundingBox()).toEqual(before)
  expect(await findBarriers(page)).toEqual([])
})
