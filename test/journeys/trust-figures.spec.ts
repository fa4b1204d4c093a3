import { expect, type Page, test } from '@playwright/test'
import { add, formatUsdt, parseUsdt } from '../../src/protocol/money.ts'
import { findBarriers } from './barriers.ts'
import { registerMember } from './member.ts'
import { still, withoutServer } from './shell-pages.ts'

test.use(still)

const owedTable = (page: Page) => page.getByRole('region', { name: 'What we owe, by type' })
const amounts = async (page: Page, part: 'tbody' | 'tfoot') => {
  const texts = await owedTable(page).locator(`${part} td:last-child`).allTextContents()
  return texts.map((text) => parseUsdt(text.replaceAll(',', '')))
}
const headline = (page: Page) => page.locator('dl > div', { hasText: 'Owed to users' })

const owed = [
  { kind: 'plan', amount: '1000.000001' },
  { kind: 'wallet', amount: '0.009999' },
  { kind: 'bet', amount: '5.009999' },
  { kind: 'bet_escrow', amount: '7.5' },
  { kind: 'payout_pending', amount: '19.000002' },
]
const TOTAL = '1031.520001'

/** A made-up summary. The server's clock is an hour ahead of the device's. */
async function showSummary(page: Page, deviceTime: Date): Promise<void> {
  const serverMs = deviceTime.getTime() + 3_600_000
  const secondsAgo = (seconds: number) => new Date(serverMs - seconds * 1_000).toISOString()
  const data = {
    reserves: '2000',
    reserves_block: 1234,
    reserves_at: secondsAgo(75),
    measured_at: secondsAgo(12),
    liabilities: TOTAL,
    owed,
    operator: '900',
    pools: [{ name: 'house', balance: '68.479999', daily_cost: '0', cover_days: null }],
    withdrawals: { days: 7, paid: 0, median_seconds: null, slowest_seconds: null },
    audit: { at: secondsAgo(40), held: [1, 2], broken: [], unchecked: [], complete_at: secondsAgo(40), seal: null },
    halted: null,
    payouts_paused_since: null,
    operator_address: null,
    snapshot: null,
    root_transactions: [],
    mirrors: ['https://mirror.example.org/wellplay'],
    snapshot_every_minutes: 60,
    history: [],
  }
  await page.clock.setFixedTime(deviceTime)
  await withoutServer(page)
  await page.route('**/api/trust/summary/', (route) =>
    route.fulfill({
      json: { status: 'success', Msg: '', data },
      headers: { date: new Date(serverMs).toUTCString() },
    }),
  )
  await page.goto('/trust')
}

test('with open stakes and withdrawals in progress, the table adds up to what the page says we owe', async ({
  page,
}) => {
  await showSummary(page, new Date('2026-03-01T12:00:00Z'))
  await expect(headline(page)).toContainText('1,031.52USDT')
  await expect(owedTable(page).locator('tbody tr')).toContainText([
    'Plans',
    'Wallet',
    'Bet wallets',
    'Stakes in open rounds',
    'Withdrawals',
  ])
  const [parts, [total]] = [await amounts(page, 'tbody'), await amounts(page, 'tfoot')]
  expect(formatUsdt(add(...parts))).toBe(TOTAL)
  expect(total).toBe(parseUsdt(TOTAL))
})

test('the page lists the mirrors that we know, or says that there are none', async ({ page }) => {
  await showSummary(page, new Date('2026-03-01T12:00:00Z'))
  const link = page.getByRole('region', { name: 'Others keep copies' }).getByRole('link')
  await expect(link).toHaveAttribute('href', 'https://mirror.example.org/wellplay')
  await page.unrouteAll()
  await page.goto('/trust')
  await expect(page.getByText("We don't know of copies of the tree files outside our servers yet.")).toBeVisible()
})

test('every figure shows its age by the server’s clock, even if the device’s clock is wrong', async ({ page }) => {
  await showSummary(page, new Date('2026-03-01T12:00:00Z'))
  await expect(headline(page)).toContainText('as of 12 s ago')
  const ages = page.locator('main time')
  // On chain, owed, the operator's money, payout time and the audit; then the two tables.
  await expect(ages).toHaveText([75, 12, 12, 12, 40, 12, 12].map((seconds) => `as of ${seconds} s ago`))
})

test('the figures of the running product add up', async ({ page }) => {
  await page.goto('/trust')
  await expect(owedTable(page).locator('tfoot')).toBeVisible()
  const [parts, [total]] = [await amounts(page, 'tbody'), await amounts(page, 'tfoot')]
  expect(parts).toHaveLength(9)
  expect(total).toBe(add(...parts))
})

/** A wallet on this chain that notes what it is asked, and answers like its own node. */
async function addWallet(page: Page, chainId: string): Promise<string[]> {
  const asked: string[] = []
  await page.exposeFunction('noteCall', (method: string) => asked.push(method))
  await page.addInitScript((id) => {
    const provider = {
      async request({ method, params = [] }: { method: string; params?: unknown[] }) {
        ;(window as unknown as { noteCall(name: string): void }).noteCall(method)
        if (method === 'eth_chainId') return id
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
        const headers = { 'content-type': 'application/json' }
        return (await (await fetch('/api/rpc/', { method: 'POST', headers, body })).json()).result
      },
    }
    const info = { rdns: 'test.wallet', name: 'Test wallet', icon: '' }
    window.addEventListener('eip6963:requestProvider', () =>
      window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } })),
    )
  }, chainId)
  return asked
}

test('the vault is read through a wallet on the right chain, otherwise through us, and the page says which', async ({
  page,
  browser,
  request,
}) => {
  // Without users there is nothing to publish.
  await registerMember(request)
  const asked = await addWallet(page, '0x7a69')
  await page.goto('/trust')
  await expect(page.getByText('Your own wallet (Test wallet) read these figures.')).toBeVisible()
  await expect(page.locator('dl > div', { hasText: 'The vault holds' })).toContainText('USDT')
  // The first root of a new server is published within two minutes.
  const root = page.locator('dl > div', { hasText: 'In the vault since' })
  await expect(root).toContainText(/in block [\d,]+: 0x/, { timeout: 150_000 })
  expect(await findBarriers(page)).toEqual([])
  // It only reads: the wallet is not asked for accounts.
  const reads = ['eth_chainId', 'eth_getBlockByNumber', 'eth_call', 'eth_getTransactionReceipt']
  expect(new Set(asked)).toEqual(new Set(reads))

  const other = await (await browser.newContext(still)).newPage()
  const onOther = await addWallet(other, '0x38')
  await other.goto('/trust')
  await expect(other.getByText('Our server read these figures for you.')).toBeVisible()
  expect(new Set(onOther)).toEqual(new Set(['eth_chainId']))
  await other.context().close()
})
