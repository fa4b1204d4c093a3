import type { Route as Intercepted, Page } from '@playwright/test'
import type { Route, Routes } from '../../src/protocol/route.ts'
import { type CallKey, routes } from '../../src/protocol/routes.ts'
import { type Reason, wordsFor } from '../../src/web/shared/api/call-words.ts'

const calls = Object.values<Routes>(routes).flatMap((table) => Object.values(table))
const keyOf = ({ method, path }: Route) => `${method} ${path}` as CallKey
export const allKeys = calls.map(keyOf)

/** Finds the call of a request by its method and path. Fixed paths are found before those with parameters. */
function callOf(method: string, url: string): Route | undefined {
  const path = new URL(url).pathname.replace('/api', '')
  const pattern = (route: Route) => new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
  const fitting = calls.filter((route) => route.method === method && pattern(route).test(path))
  return fitting.find((route) => route.path === path) ?? fitting[0]
}

const MESSAGE = 'The hamster is asleep'

/** The ways in which a call can fail, with what the app knows about each. */
const failures: { fail: (request: Intercepted) => Promise<void>; reason: Reason }[] = [
  {
    fail: (request) => request.fulfill({ status: 500, json: { code: 'internal', message: MESSAGE } }),
    reason: { fromServer: MESSAGE, isAnswered: true, status: 500 },
  },
  {
    fail: (request) => request.fulfill({ status: 500, body: '' }),
    reason: { fromServer: undefined, isAnswered: true, status: 500 },
  },
  {
    fail: (request) => request.abort('connectionrefused'),
    reason: { fromServer: undefined, isAnswered: false, status: undefined },
  },
  {
    fail: (request) => request.fulfill({ status: 400, json: { code: 'invalid_input', message: MESSAGE } }),
    reason: { fromServer: MESSAGE, isAnswered: true, status: 400 },
  },
]

/** Each call fails in one way. `turn` shifts the ways, so that four turns make each call fail in all of them. */
function failureOf(key: CallKey, turn: number) {
  const index = calls.findIndex((route) => keyOf(route) === key)
  const failure = failures[(index + turn) % failures.length]
  if (!failure) throw new Error(`no failure for ${key}`)
  return failure
}

/**
 * Lets the calls of a page fail. One route serves the whole test: while a route is replaced, a call could get through.
 * Returns a function that makes every call fail except those in `allowed`. It returns the calls that fail from then on.
 */
export async function failCalls(page: Page, turn: number) {
  let allowed: ReadonlySet<CallKey> = new Set()
  let failed = new Set<CallKey>()
  await page.route('**/api/**', async (request) => {
    const route = callOf(request.request().method(), request.request().url())
    // The event stream is not a call. Without it nothing is refetched while the test looks.
    if (!route) return request.abort()
    const key = keyOf(route)
    if (allowed.has(key)) return request.continue()
    failed.add(key)
    await failureOf(key, turn).fail(request)
  })
  return async (allowedNow: ReadonlySet<CallKey>): Promise<Set<CallKey>> => {
    await forgetReplies(page)
    allowed = allowedNow
    failed = new Set()
    return failed
  }
}

/** Leaves the app and removes the replies it keeps for times without a connection. They would hide the next failure. */
async function forgetReplies(page: Page): Promise<void> {
  await page.goto('/healthz')
  await page.evaluate(() => {
    for (const name of Object.keys(localStorage)) if (name.startsWith('kept ')) localStorage.removeItem(name)
  })
}

/** The words that the user must be able to read after this call failed. */
export function expectedWords(key: CallKey, turn: number): string[] {
  const [method = '', path = ''] = key.split(' ')
  const { message, detail, notice } = wordsFor({ method, path }, failureOf(key, turn).reason)
  return [message, detail, notice].flatMap((text) => text ?? [])
}
