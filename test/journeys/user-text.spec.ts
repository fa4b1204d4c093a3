import { expect, test } from '@playwright/test'
import { supportText } from '../../src/protocol/support.ts'
import { sampleTexts } from '../user-text/texts.ts'
import { becomeMember, post } from './member.ts'
import { answer } from './money-pages.ts'
import { signedIn, still } from './shell-pages.ts'

test.use(still)

/** Pages that show text of users must show it as it is, and must neither run nor break on it (R24). */
test.beforeEach(({ page }) => {
  page.on('pageerror', (error) => {
    throw error
  })
  page.on('dialog', (dialog) => {
    throw new Error(`a text opened a dialog: ${dialog.message()}`)
  })
})

test('a support request shows hostile texts as plain text', async ({ page, request }) => {
  const member = await becomeMember(page, request)
  const texts = sampleTexts.flatMap((text) => supportText.safeParse(text).data ?? [])
  expect(texts.length).toBeGreaterThan(15)
  const write = (path: string, data: object) =>
    post(request, path, data, { token: member.token, 'user-agent': '<img src=x onerror=alert(1)>' })
  const opened = await write('/api/support/open/', { topic: 'other', subject: '<b>$&</b>', text: 'Hello' })
  for (const text of texts) await write('/api/support/reply/', { request_id: opened.request.id, text })
  await page.goto('/user/healthsupport')
  await page.getByRole('button', { name: '<b>$&</b>' }).click()
  const thread = page.getByRole('dialog', { name: '<b>$&</b>' })
  const shown = thread.locator('li > span:last-child')
  await expect(shown).toHaveCount(texts.length + 1)
  expect(await shown.evaluateAll((spans) => spans.map((span) => span.textContent))).toEqual(['Hello', ...texts])
})

test('the transfer history shows hostile notes as plain text', async ({ page }) => {
  const notes = ['<img src=x onerror=alert(1)>', "$' $& =1+1", '\u202eevil', 'a'.repeat(139), '{{7*7}}']
  await signedIn(page)
  const data = notes.map((note, index) => ({
    id: `transfer_0190b5a0-0000-7000-8000-${String(index).padStart(12, '0')}`,
    direction: 'in',
    username: 'river_otter',
    amount: '1',
    source: 'wallet',
    note,
    sent_at: '2026-03-01T12:00:00.000Z',
  }))
  await answer(page, '/internal_transfer_history/', { data, page_no: 1, page_size: 50, total: data.length })
  await page.goto('/user/internal-transfer-history')
  const rows = page.getByRole('table').locator('tbody tr')
  // Polled, because placeholder rows come first.
  const shown = () => rows.evaluateAll((all) => all.map((row) => row.textContent))
  await expect.poll(shown).toEqual(notes.map((note) => expect.stringContaining(note)))
})

test('a page whose address contains replacement patterns is complete', async ({ request, baseURL }) => {
  const page = await (await request.get('/no-such-page')).text()
  for (const path of ["/$'", '/$`', '/$&']) {
    const reply = await request.get(`${baseURL}${path}`)
    expect(reply.status(), path).toBe(200)
    const text = await reply.text()
    expect(text.split('<html').length, path).toBe(2)
    expect(Math.abs(text.length - page.length), path).toBeLessThan(200)
  }
})
