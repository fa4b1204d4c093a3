import { type APIRequestContext, expect, type Page } from '@playwright/test'
import type { CallKey } from '../../src/protocol/routes.ts'
import { changeData } from './changed-replies.ts'
import { type Act, acts, leftOut, pages } from './failure-tables.ts'
import { allKeys, expectedWords, failCalls } from './failures.ts'
import { post, registerMember } from './member.ts'
import { recordNotices } from './money-pages.ts'
import { test as base, plant } from './shared-page.ts'

const often = { intervals: [50] }
const test = base.extend<object, { notices: () => Promise<string[]> }>({
  notices: [
    async ({ workerPage }, use) => {
      await hurryTimers(workerPage)
      await use(await recordNotices(workerPage))
    },
    { scope: 'worker' },
  ],
})

/** Failures that a page does not put into words, and why. */
const quiet: Partial<Record<CallKey, { on: (path: string) => boolean; because: string }>> = {
  'GET /trust/halt/': { on: () => true, because: 'the banner is about halts; the pages themselves say what is paused' },
  'GET /news/unread/': { on: () => true, because: 'the bell shows no number' },
  'POST /auth/me/': { on: (path) => path !== '/user/profile', because: 'it only refreshes the stored level' },
  'POST /detail/': {
    on: (path) => !/home|plans|re-top-up$|internal-transfer$|wallet|balance/.test(path),
    because: 'the header shows a dash instead of the balance',
  },
  'POST /wellness/today/': {
    on: (path) => !/home|games2/.test(path),
    because: 'the sidebar shows the start instead of the score',
  },
  'GET /chain/': {
    on: (path) => /home|balance|plans|trust/.test(path),
    because: 'without a wallet the total and the plans leave it out; the trust page says that the vault is not read',
  },
  'GET /betwallet_history/': {
    on: (path) => /color-game|balance/.test(path),
    because: 'there it only finds deposits on their way',
  },
  'POST /declaration/': { on: () => true, because: 'the page then asks for nothing, and the server decides' },
  'POST /rpc/': { on: () => true, because: "the specification: failed balance reads are null, shown as 'unknown'" },
}
/** Made by a timer, some time after a page of the user area was opened. If it fails, it is made again in an hour. */
const inBackground: CallKey[] = ['POST /trust/proof/']
const isQuiet = (key: CallKey, path: string) => quiet[key]?.on(path) ?? false

for (const [turn, place] of Object.keys(pages).entries())
  test(`${place} says what failed for every call it makes`, async ({ page, request, notices }) => {
    const [path = '', tab] = place.split('#')
    if (path.startsWith('/user')) await signIn(page, request)
    // The page without its tab has a test of its own.
    const seen = new Set<CallKey>(tab ? pages[path] : [])
    const expected = pages[place] ?? []
    const failAllBut = await failCalls(page, turn)
    // First everything fails. Calls that failed are then let through, so that the calls behind them fail next.
    for (;;) {
      const failed = await failAllBut(new Set([...seen, ...(path === '/trust' ? [] : inBackground)]))
      await page.goto(path)
      /** The calls whose failure has been said. One that hides a part of the page may hide what its calls say. */
      const said = async () => {
        const text = await textOf(page, notices)
        return [...failed].filter((key) => expectedWords(key, turn).every((words) => text.includes(words)))
      }
      await page.locator('main').waitFor()
      await expect.poll(() => countWaiting(page), often).toBe(0)
      const opener = page.getByRole('tab', { name: tab ?? '', exact: true })
      if (tab && (await opener.isVisible())) {
        await opener.click()
        await expect.poll(() => countWaiting(page), often).toBe(0)
      }
      // A part of the page makes its calls when it appears, which may be a moment after its placeholder is gone.
      const missing = expected.filter((key) => !seen.has(key))
      if (missing.length > 0)
        await expect.poll(() => failed.size, { ...often, message: `one of ${missing} fails` }).toBeGreaterThan(0)
      const loud = [...failed].filter((key) => !isQuiet(key, path))
      if (loud.length > 0)
        await expect
          .poll(async () => (await said()).length > 0 || (await textOf(page, notices)), {
            ...often,
            message: `${loud} failed, one of them is said`,
          })
          .toBe(true)
      if (failed.size === 0) break
      for (const key of [...(await said()), ...[...failed].filter((key) => isQuiet(key, path))]) seen.add(key)
    }
    expect([...seen].sort()).toEqual([...expected].sort())
  })

// One way of failing for each. call-words.test.ts checks the words of every call for all ways.
for (const [turn, [key, { on, act, wallet }]] of (Object.entries(acts) as [CallKey, Act][]).entries())
  test(`${key} says that it failed`, async ({ page, request, notices }) => {
    if (on.startsWith('/user')) await signIn(page, request)
    const failed = await (await failCalls(page, turn))(new Set(allKeys.filter((other) => other !== key)))
    if (wallet) await changeData<object>(page, '/detail/', (data) => ({ ...data, wallet }))
    await page.goto(on)
    await act(page)
    for (const words of expectedWords(key, turn)) await expect.poll(() => textOf(page, notices), often).toContain(words)
    expect([...failed]).toEqual([key])
  })

async function signIn(page: Page, request: APIRequestContext): Promise<void> {
  const { account, ...user } = await registerMember(request)
  // A known zone: otherwise the first page reports the browser's in the background, and says nothing if that fails.
  await post(request, '/api/wellness/zone/', { zone: 'UTC' }, { Token: user.token })
  await plant(page, 'user', JSON.stringify(user))
}

/** A call without a reply is tried nine times within ten seconds. The page's timers run faster, so nothing waits for it. */
const hurryTimers = (page: Page) =>
  page.addInitScript(() => {
    const { setTimeout } = window
    Object.assign(window, {
      setTimeout: (run: TimerHandler, ms = 0, ...values: unknown[]) => setTimeout(run, ms / 50, ...values),
    })
  })

/** What the page shows, and what its notices said. */
const textOf = async (page: Page, notices: () => Promise<string[]>): Promise<string> =>
  [(await page.locator('body').textContent()) ?? '', ...(await notices())].join(' ')

/** The parts of the page that are still loading. */
async function countWaiting(page: Page): Promise<number> {
  return (await page.getByText('Loading...').count()) + (await page.locator('.animate-rest').count())
}

test('every call fails in one of these tests, or there is a reason why not', () => {
  const failing = [...Object.values(pages).flat(), ...Object.keys(acts)]
  expect([...new Set([...failing, ...Object.keys(leftOut)])].sort()).toEqual([...allKeys].sort())
  expect(Object.keys(leftOut).filter((key) => failing.includes(key))).toEqual([])
})
