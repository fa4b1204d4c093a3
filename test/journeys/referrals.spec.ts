import { expect, type Locator, type Page, test } from '@playwright/test'
import type { Client } from 'pg'
import { referrals } from '../../src/protocol/referrals.ts'
import { PAGE_SIZE } from '../../src/protocol/route.ts'
import { findBarriers } from './barriers.ts'
import { withDatabase } from './database.ts'
import { becomeMember } from './member.ts'

const HUB = 50_000
const SHOWN = 10 * PAGE_SIZE
/** More than a card or a row of the list needs. */
const ELEMENTS_PER_MEMBER = 10

/** Adds members below a sponsor, with join dates in the past. */
const addMembers = `
  with member as (
    select nextval('users_number_seq')::int as number, n from generate_series(1, $2::int) as n
  )
  insert into users (id, number, username, wallet_address, referral_code, sponsor_number, created_at)
  select new_id(), m.number, $3 || case when $2::int > 1 then '_' || lpad(m.n::text, 5, '0') else '' end,
         '0xbe' || lpad(to_hex(m.number), 38, '0'), 'H' || lpad(m.number::text, 7, '0'), s.number,
         now() - interval '30 days' - m.n * interval '10 minutes'
  from member m, users s where s.username = $1`

/** Members count in a team when the worker has folded them into its totals. */
async function foldTeams(client: Client): Promise<void> {
  const left = async () => (await client.query('select from team_deltas limit 1')).rowCount
  await expect.poll(left, { message: 'the worker folds all team deltas', timeout: 60_000 }).toBe(0)
}

test('a member with 50,000 direct referrals is loaded, drawn and searched one page at a time', async ({
  page,
  request,
}) => {
  const { username } = await becomeMember(page, request)
  const hub = `hub_${username.slice(-6)}`
  await withDatabase(async (client) => {
    await client.query(addMembers, [username, 1, hub])
    await client.query(addMembers, [hub, HUB, hub])
    await foldTeams(client)
  })

  await page.goto('/user/referal')
  await expect(page.getByRole('button', { name: `Open ${hub}` })).toBeVisible()
  const received = receivedRows(page, hub)
  expect(await openHub(page, hub), 'rows that React drew again when a page below them arrived').toEqual([])
  expect(await Promise.all(received)).toEqual(Array.from({ length: SHOWN / PAGE_SIZE }, () => PAGE_SIZE))
  const elements = await page.locator('main *').count()
  expect(elements).toBeGreaterThan(SHOWN)
  expect(elements).toBeLessThan(SHOWN * ELEMENTS_PER_MEMBER)

  await page.getByLabel('Find a member').fill(`${hub}_49`)
  await page.getByRole('button', { name: `${hub}_49017` }).click()
  await expect(page.getByRole('navigation', { name: 'Path to you' })).toHaveText(`You${hub}${hub}_49017`)
  await page.getByLabel('Find a member').fill('nobody_like_this')
  await expect(page.getByText('No one in your team has a name like that.')).toBeVisible()
})

test('dragging a card moves the picture without opening a member, and two fingers zoom it', async ({
  browser,
  request,
}) => {
  const page = await (await browser.newContext({ hasTouch: true, viewport: { width: 390, height: 844 } })).newPage()
  const { username } = await becomeMember(page, request)
  const friend = `friend_${username.slice(-6)}`
  await withDatabase(async (client) => {
    await client.query(addMembers, [username, 1, friend])
    await client.query(addMembers, [friend, 1, `below_${username.slice(-6)}`])
  })
  await page.goto('/user/referal')
  await test.step('on a phone the list comes first, and the keyboard opens any member', async () => {
    await page.getByRole('button', { name: friend, exact: true }).press('Enter')
    const sheet = page.getByRole('dialog', { name: friend })
    await expect(sheet.getByText('No active plan')).toBeVisible()
    expect(await findBarriers(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(sheet).toHaveCount(0)
  })
  await page.setViewportSize({ width: 768, height: 1024 })
  await page.getByRole('button', { name: 'Show as diagram' }).click()
  const card = page.getByTitle(`Details of ${friend}`)
  await page.getByRole('application').scrollIntoViewIfNeeded()
  const before = await boxOf(card)
  await page.mouse.move(before.x + 20, before.y + 10)
  await page.mouse.down()
  await page.mouse.move(before.x + 60, before.y + 50, { steps: 4 })
  await page.mouse.up()
  await expect.poll(() => boxOf(card)).toMatchObject({ x: before.x + 40, y: before.y + 40, width: before.width })
  await pinch(page, { x: before.x + 60, y: before.y + 50 })
  await expect.poll(async () => (await boxOf(card)).width).toBeCloseTo(before.width * 2, 0)
  await page.getByRole('button', { name: 'Reset the view' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await card.click()
  await page.getByRole('dialog', { name: friend }).getByRole('button', { name: 'Show their team' }).click()
  await expect(page.getByRole('navigation', { name: 'Path to you' })).toHaveText(`You${friend}`)
})

test('the picture opens with the root and readable names in view, and never becomes empty', async ({
  page,
  request,
}) => {
  const { username } = await becomeMember(page, request)
  const crowd = `crowd_${username.slice(-6)}`
  await withDatabase(async (client) => {
    await client.query(addMembers, [username, 3, crowd])
    await client.query(addMembers, [`${crowd}_00003`, 40, `deep_${username.slice(-6)}`])
    await foldTeams(client)
  })
  await page.goto('/user/referal')
  const picture = page.getByRole('application')
  for (const name of [username, `${crowd}_00001`, `${crowd}_00003`])
    await expect.poll(() => picture.getByTitle(`Details of ${name}`).evaluate(isReadableIn)).toBe(true)
  await test.step('an opened member stays at its height, and the members below it come into view', async () => {
    await picture.scrollIntoViewIfNeeded()
    const opened = picture.getByRole('button', { name: `Open ${crowd}_00003` })
    const before = await boxOf(opened)
    await opened.click()
    const close = picture.getByRole('button', { name: `Close ${crowd}_00003` })
    await expect(close).toBeVisible()
    expect(Math.abs((await boxOf(close)).y - before.y)).toBeLessThan(2)
    const middle = picture.getByTitle(`Details of deep_${username.slice(-6)}_00020`)
    await expect.poll(() => middle.evaluate(isReadableIn)).toBe(true)
  })
  await test.step('dragged far away, a part of the team stays in view or one button brings it back', async () => {
    const { x, y, height } = await boxOf(picture)
    for (let drag = 0; drag < 12; drag++) {
      await page.mouse.move(x + 40, y + height - 40)
      await page.mouse.down()
      await page.mouse.move(x + 700, y + 5, { steps: 3 })
      await page.mouse.up()
    }
    await page.getByRole('button', { name: 'Back to your team' }).click()
    await expect.poll(() => picture.getByTitle(`Details of ${username}`).evaluate(isReadableIn)).toBe(true)
  })
})

/** Runs in the page: whether a card is inside the picture, and its name at least 11 px high and not cut off. */
function isReadableIn(card: Element): boolean {
  const around = card.closest('[role=application]')?.getBoundingClientRect()
  const name = card.querySelector('.font-semibold')
  if (!around || !name) throw new Error('There is no picture, or no name')
  const { left, right, top, bottom } = card.getBoundingClientRect()
  const scale = (right - left) / (card as HTMLElement).offsetWidth
  const isInside = left >= around.left && right <= around.right && top >= around.top && bottom <= around.bottom
  const isWhole = name.scrollHeight <= name.clientHeight + 1 && name.scrollWidth <= name.clientWidth + 1
  return isInside && isWhole && Number.parseFloat(getComputedStyle(name).fontSize) * scale >= 11
}

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox()
  if (!box) throw new Error('The element is not visible')
  return box
}

/** Spreads two fingers from 40 px to 80 px apart. */
async function pinch(page: Page, { x, y }: { x: number; y: number }): Promise<void> {
  const touch = await page.context().newCDPSession(page)
  const at = (apart: number) => [
    { x: x - apart / 2, y, id: 1 },
    { x: x + apart / 2, y, id: 2 },
  ]
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(40) })
  for (const apart of [50, 60, 70, 80])
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(apart) })
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

test('the picture scrolls to the focused card, and its buttons do not move', async ({ page, request }) => {
  const { username } = await becomeMember(page, request)
  await withDatabase((client) => client.query(addMembers, [username, 12, `peer_${username.slice(-6)}`]))
  await page.goto('/user/referal')
  const zoomIn = page.getByRole('button', { name: 'Zoom in' })
  const before = await boxOf(zoomIn)
  const title = `Details of peer_${username.slice(-6)}_00012`
  const last = page.getByTitle(title)
  await page.getByLabel('Find a member').focus()
  for (let press = 0; press < 20 && (await focusedTitle(page)) !== title; press++) await page.keyboard.press('Tab')
  const roomBelow = (card: Element) =>
    (card.closest('[role=application]')?.getBoundingClientRect().bottom ?? 0) - card.getBoundingClientRect().bottom
  await expect.poll(() => last.evaluate(roomBelow)).toBeGreaterThan(0)
  expect((await boxOf(zoomIn)).x).toBe(before.x)
})

test('keys, buttons and the mouse wheel move and zoom the picture under the strict content policy', async ({
  page,
  request,
}) => {
  const { username } = await becomeMember(page, request)
  const friend = `friend_${username.slice(-6)}`
  await withDatabase((client) => client.query(addMembers, [username, 1, friend]))
  const refused: string[] = []
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refused.push(message.text())
  })
  await page.goto('/user/referal')
  const card = page.getByTitle(`Details of ${friend}`)
  const expectZoom = async (factor: number, act: () => Promise<void>) => {
    const { width } = await boxOf(card)
    await act()
    await expect.poll(async () => (await boxOf(card)).width / width).toBeCloseTo(factor, 2)
  }
  await page.getByRole('application').scrollIntoViewIfNeeded()
  await card.focus()
  const before = await boxOf(card)
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowUp')
  await expect.poll(() => boxOf(card)).toMatchObject({ x: before.x + 60, y: before.y + 60, width: before.width })
  await expectZoom(1.2, () => page.keyboard.press('+'))
  const large = await boxOf(card)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  await expect.poll(async () => (await boxOf(card)).x).toBeCloseTo(large.x - 60, 1)
  await expectZoom(1 / 1.2, () => page.keyboard.press('-'))
  await expectZoom(1.25, () => page.getByRole('button', { name: 'Zoom in' }).click())
  await expectZoom(1 / 1.25, () => page.getByRole('button', { name: 'Zoom out' }).click())
  const { x, y } = await boxOf(page.getByRole('application'))
  await page.mouse.move(x + 40, y + 40)
  await expectZoom(2 ** -0.4, () => page.mouse.wheel(0, 200))
  expect(refused).toEqual([])
})

const focusedTitle = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('title'))

/** Opens the hub in the picture, then pages through it in the list. Returns the rows that React drew more than once. */
async function openHub(page: Page, hub: string): Promise<string[]> {
  await page.getByRole('button', { name: `Open ${hub}, 50,000 direct` }).click()
  await shows(page, `${hub}_00025`)
  await page.getByRole('button', { name: 'Show as list' }).click()
  await expect(page.getByRole('button', { name: 'Show as diagram' })).toBeVisible()
  const drawnAgain = new Set<string>()
  for (let shown = PAGE_SIZE; shown < SHOWN; shown += PAGE_SIZE) {
    await page.getByRole('button', { name: `Show more of ${(HUB - shown).toLocaleString('en')}` }).click()
    await shows(page, `${hub}_${String(shown + PAGE_SIZE).padStart(5, '0')}`)
    const names = page.locator(`main li button[title^="Details of ${hub}_"]`)
    const { count, changed } = await names.evaluateAll(compareRows)
    expect(count).toBe(shown + PAGE_SIZE)
    for (const name of changed) drawnAgain.add(name)
  }
  return [...drawnAgain]
}

/**
 * Runs in the page, with the name of each row. React gives an element a new props object whenever it draws it, so the
 * rows whose object is no longer the one of the last call were drawn in between. Unlike a time, this does not depend on
 * the machine.
 */
function compareRows(names: Element[]): { count: number; changed: string[] } {
  const changed: string[] = []
  for (const name of names) {
    const row = name.closest<HTMLLIElement & { [key: string]: unknown }>('li')
    if (!row) throw new Error('The list has a name without a row')
    const props = row[Object.keys(row).find((key) => key.startsWith('__reactProps$')) ?? 'no props']
    if (!props) throw new Error('React keeps the props of an element somewhere else now')
    if (row.seenProps && row.seenProps !== props) changed.push(name.textContent)
    row.seenProps = props
  }
  return { count: names.length, changed }
}

/** Waits for a name in the page's text. Cheaper for the page than a locator, which also checks visibility. */
const shows = (page: Page, name: string) =>
  page.waitForFunction((text) => document.querySelector('main')?.textContent?.includes(text), name, { polling: 250 })

/** The number of direct referrals in each reply about a member, as the replies arrive. */
function receivedRows(page: Page, username: string): Promise<number>[] {
  const received: Promise<number>[] = []
  page.on('response', (response) => {
    if (!response.url().endsWith(referrals.tree.path) || response.request().postDataJSON().user_name !== username)
      return
    received.push(response.json().then(({ data }) => data.children.length))
  })
  return received
}
