import type { Page, Request } from '@playwright/test'
import { z } from 'zod'
import { termsShape } from '../../src/protocol/terms.ts'
import { defaultTerms } from '../../src/protocol/terms-defaults.ts'
import { signedIn, storedUser } from './shell-pages.ts'

export const support = '0x5555555555555555555555555555555555555555'

const token = { address: support, decimals: 18 }
/** A development network without a faucet. */
export const developmentChain = {
  network: 'development',
  network_name: 'Development chain',
  chain_id: 31337,
  tokens: { usdt: token, jw: token, jwc: token },
  support,
  explorer: null,
  faucet: false,
  demo_wallet: false,
  walletconnect: null,
}

/** A reply of the detail call. By default a plan of 20 USDT and 200 USDT in each reward balance. */
export const detailsWith = (changes: object = {}) => ({
  planreward: '200',
  planreff: '200',
  planamount: '20',
  max_amount: '5000',
  minimumamount: '10',
  withdrawfee: 5,
  wallet_address: storedUser.wallet_address.toLowerCase(),
  support,
  TWA: '500',
  BWA: '450',
  planreff_matured: '0',
  planreff_matures_at: null,
  wallet: '100',
  bet: '0',
  health: '3',
  hold: '0',
  today: '2026-03-01',
  lots: [],
  pending: [],
  deferred: { reward: '0', health: '0', referral: '0' },
  ...changes,
})

export async function answer(page: Page, path: string, body: object, status = 200): Promise<void> {
  await page.route(`**/api${path}`, (route) => route.fulfill({ status, json: { status: 'success', Msg: '', ...body } }))
}

/** The default terms, and nothing is announced. */
export const answerTerms = (page: Page): Promise<void> =>
  answer(page, '/terms/', { version: 1, data: z.encode(termsShape, defaultTerms), announced: [] })

export const refusal = (code: string, message: string) => ({ status: 'error', code, message, Msg: message })

/** Records notification texts. On a busy machine a notification can disappear before the test looks. */
export async function recordNotices(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const said: string[] = []
    Object.assign(window, { said })
    new MutationObserver(() => {
      for (const notice of document.querySelectorAll('[aria-label="Notifications"] > *'))
        if (!said.includes(notice.textContent ?? '')) said.push(notice.textContent ?? '')
    }).observe(document, { childList: true, subtree: true, characterData: true })
  })
  return () => page.evaluate(() => (window as unknown as { said: string[] }).said)
}

/** Of a user who is asked for nothing more. */
const declared = {
  minimum_age: 18,
  asks_country: false,
  declared: { age: 18, country: null, at: '2026-01-01T10:00:00.000Z' },
  is_enough: true,
  blocked_because: null,
}

/** Opens a page as a signed-in user with these details and no plans. All other calls get a 503 reply. */
export async function openWith(page: Page, path: string, details: object = {}): Promise<void> {
  await signedIn(page)
  await answer(page, '/detail/', { data: detailsWith(details) })
  await answer(page, '/process_rewards/', { paid: '0', health_paid: '0', deferred: '0' })
  await answer(page, '/plans/', { data: [], max_amount: '5000', pool_cover_days: null })
  await answer(page, '/declaration/', { data: declared })
  await answerTerms(page)
  await page.goto(path)
}

/** Records the purchase and upline calls in the order they are sent. */
export function recordCalls(page: Page): { path: string; body: Record<string, unknown> }[] {
  const calls: { path: string; body: Record<string, unknown> }[] = []
  page.on('request', (request: Request) => {
    const path = new URL(request.url()).pathname.replace('/api', '')
    if (path === '/gamebuyplan/' || path === '/gameupline_referral/') calls.push({ path, body: request.postDataJSON() })
  })
  return calls
}

export const historyRow = (index: number, Plan_name: string) => ({
  Plan_name,
  Plan_Amount: String(index + 0.25),
  start_date: `2026-02-0${(index % 9) + 1}T10:15:00.000Z`,
  order_id: `order_0190b5a0-0000-7000-8000-${String(index).padStart(12, '0')}`,
  package_type: 5,
  trans_hash: `internal${index}`,
  matured_on: null,
})

/** Serves these rows as the plan history, fifty per page unless asked for fewer. Returns the page numbers requested. */
export async function answerHistory(page: Page, rows: object[]): Promise<number[]> {
  const requested: number[] = []
  await page.route('**/api/planhistory/', (route) => {
    const { pageno, page_size = 50 } = route.request().postDataJSON()
    requested.push(pageno)
    const data = rows.slice((pageno - 1) * page_size, pageno * page_size)
    route.fulfill({ json: { status: 'success', Msg: '', data, page_no: pageno, page_size, total: rows.length } })
  })
  return requested
}
