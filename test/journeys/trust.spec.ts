import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type APIRequestContext, type Download, expect, type Page } from '@playwright/test'
import { createWalletClient, erc20Abi, http, type LocalAccount, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { parseUsdt } from '../../src/protocol/money.ts'
import { attestationTypedData } from '../../src/verifier/attestations.ts'
import { toHex } from '../../src/verifier/bytes.ts'
import { LEAF_ACCOUNTS, type Leaf, leafBytes, leafSum, rootOf } from '../../src/verifier/merkle.ts'
import { changeData, test } from './changed-replies.ts'
import { becomeMember, post } from './member.ts'
import { answer } from './money-pages.ts'
import { expectStrictPolicy, watchViolations } from './policy.ts'
import { signedIn } from './shell-pages.ts'

// The real chain, server and worker can be slow on a busy machine.

const textOf = async (download: Download) => readFileSync(await download.path(), 'utf8')

/** Deposits on the real chain and waits until the watcher has credited it. */
async function deposit(request: APIRequestContext, account: LocalAccount, token: string, amount: string) {
  const settings = JSON.parse(readFileSync(join(process.env['JOURNEY_DATA'] ?? '', 'settings.json'), 'utf8'))
  await post(request, '/api/dev/faucet/', { wallet_address: account.address })
  const wallet = createWalletClient({ account, transport: http(settings.RPC_URL) })
  const args = [settings.VAULT_ADDRESS, parseEther(amount)] as const
  const call = { address: settings.USDT_ADDRESS, abi: erc20Abi, functionName: 'transfer', args, chain: null } as const
  await expect(() => wallet.writeContract(call)).toPass({ timeout: 30_000 })
  const rows = async () => {
    const reply = await request.post('/api/statement/', { headers: { Token: token }, data: { account: 'wallet' } })
    return (await reply.json()).data.length
  }
  await expect.poll(rows).toBe(1)
}

/** A balance proof from a tree of two users, in the format from before the vault. Users have such files. */
async function aProof(): Promise<string> {
  const uuid = (digit: number) => `0190b5a0-0000-7000-8000-00000000000${digit}`
  const leaf = (digit: number): Leaf => ({
    snapshotId: uuid(9),
    userId: uuid(digit),
    nonce: createHash('sha256').update(uuid(digit)).digest().subarray(0, 16),
    balances: LEAF_ACCOUNTS.map((_, at) => parseUsdt(`${digit * 10 + at}.25`)),
  })
  const [own, other] = [leaf(1), leaf(2)]
  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
  const sibling = { hash: sha256(leafBytes(other)), sum: leafSum(other) }
  const root = await rootOf(own, [{ ...sibling, side: 'right' }], sha256)
  const amount = (units: bigint) => `${units / 1_000_000n}.${String(units % 1_000_000n).padStart(6, '0')}`
  const operator = privateKeyToAccount(generatePrivateKey())
  const taken = { id: `snapshot_${uuid(9)}`, taken_on: '2026-03-01', taken_at: '2026-03-01T00:10:00.000Z' }
  const snapshot = { ...taken, root: toHex(root.hash), total: amount(root.sum) }
  const signed = attestationTypedData('Snapshot', { issuer: 'Wellplay', chainId: 56 }, { ...snapshot, users: '2' })
  const proof = {
    snapshot: { ...snapshot, users: 2 },
    leaf: {
      user_id: `user_${own.userId}`,
      nonce: toHex(own.nonce),
      balances: LEAF_ACCOUNTS.map((account, at) => ({ account, amount: amount(own.balances[at] ?? 0n) })),
    },
    siblings: [{ hash: toHex(sibling.hash), sum: amount(sibling.sum), side: 'right' }],
    chain_id: 56,
    operator: operator.address.toLowerCase(),
    signature: await operator.signTypedData(signed),
  }
  return JSON.stringify(proof, null, 2)
}

async function save(page: Page, click: () => Promise<void>): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent('download'), click()])
  return download
}

/** Changes the last digit of the first amount. */
const forge = (text: string) =>
  text.replace(/("amount": "[^"]*?)(\d)"/, (_, before, digit) => `${before}${(Number(digit) + 1) % 10}"`)

test('a saved receipt can be checked on the trust page, and offline with the saved verifier', async ({
  page,
  request,
  browser,
}) => {
  const { account, token } = await becomeMember(page, request)
  await deposit(request, account, token, '25.5')
  await page.goto('/user/balance')
  await page.getByLabel('Account', { exact: true }).selectOption('wallet')
  const receipt = await textOf(
    await save(page, () => page.getByRole('button', { name: 'Receipt for Deposit, transaction 1' }).click()),
  )
  expect(JSON.parse(receipt).receipt).toMatchObject({ amount: '25.5', wallet: account.address.toLowerCase() })

  await page.goto('/trust')
  const field = page.getByLabel('Receipt or balance proof')
  await field.fill(receipt)
  await expect(page.getByText('This receipt is valid')).toBeVisible()
  await field.fill(forge(receipt))
  await expect(page.getByText('The operator did not sign this content')).toBeVisible()
  const proof = await aProof()
  await field.fill(proof)
  await expect(page.getByText('It was not signed by the published address')).toBeVisible()

  const verifier = await save(page, () => page.getByRole('link', { name: /^Offline verifier/ }).click())
  const path = test.info().outputPath('wellplay-verifier.html')
  await verifier.saveAs(path)
  const alone = await (await browser.newContext({ offline: true })).newPage()
  const requests: string[] = []
  alone.on('request', (sent) => requests.push(sent.url()))
  await alone.goto(`file://${path}`)
  for (const [title, text] of [
    ['Receipt', receipt],
    ['Balance proof', proof],
  ] as const) {
    const file = { name: 'kept.json', mimeType: 'application/json', buffer: Buffer.from(text) }
    await alone.getByLabel('A file you saved').setInputFiles(file)
    await expect(alone.getByRole('heading', { name: `${title}: valid` })).toBeVisible()
    await alone.getByLabel('or paste its text').fill(forge(text))
    await alone.getByRole('button', { name: 'Check' }).click()
    await expect(alone.getByRole('heading', { name: `${title}: NOT valid` })).toBeVisible()
  }
  expect(requests).toEqual([`file://${path}`])
})

test('a member proves their balance in the root on the page, the browser keeps the proof, and a changed digit is detected', async ({
  page,
  request,
}) => {
  const { token } = await becomeMember(page, request)
  // The worker publishes a root in the minute after a change.
  const epochOf = async () => {
    const reply = await request.post('/api/trust/proof/', { headers: { Token: token }, data: {} })
    return reply.ok() ? (await reply.json()).data.snapshot.epoch : 0
  }
  await expect.poll(epochOf, { timeout: 100_000 }).toBeGreaterThan(0)
  await page.goto('/trust')
  const prove = page.getByRole('button', { name: 'Check my balance' })
  await prove.click()
  await expect(page.getByText('Your balance is in the published total')).toBeVisible()
  const kept = await page.evaluate(() => JSON.parse(localStorage.getItem('proof') ?? 'null'))
  expect(kept).toMatchObject({
    leaf_key: expect.stringMatching(/^[0-9a-f]{64}$/),
    snapshot: { epoch: expect.any(Number) },
  })

  await page.reload()
  await expect(prove).toBeVisible()
  await prove.click()
  await expect(page.getByText('Your balance is in the published total')).toBeVisible()

  await changeData<{ leaf: { balances: { amount: string }[] } }>(page, '/trust/proof/', ({ leaf, ...proof }) => {
    const [first, ...others] = leaf.balances
    return { ...proof, leaf: { ...leaf, balances: [{ ...first, amount: '0.000001' }, ...others] } }
  })
  await prove.click()
  await expect(page.getByText('This proof does not match the published root')).toBeVisible()
})

test('while payouts and bets are paused, every page says so and shows the reason', async ({ page }) => {
  await signedIn(page)
  await answer(page, '/trust/halt/', { halted: '4. All accounts sum to 0: all accounts sum to 1' })
  for (const path of ['/user/home', '/user/withdrawal']) {
    await page.goto(path)
    await expect(page.getByRole('alert').filter({ hasText: 'Payouts and bets are paused' })).toContainText(
      'all accounts sum to 1',
    )
  }
  await page.getByRole('link', { name: 'See the books' }).click()
  await expect(page).toHaveURL('/trust')
})

test('no page violates the strict content policy, and a violation would be reported', async ({ page, request }) => {
  expectStrictPolicy((await request.get('/api/docs')).headers())
  // The offline pages have an inline script, so they are served as downloads and never run on our origin.
  for (const path of ['/verifier.html', '/exit.html'])
    expect((await request.get(path)).headers()['content-disposition']).toBe('attachment')

  const violations = await watchViolations(page)
  await signedIn(page)
  for (const path of ['/', '/trust', '/login/register', '/user/home', '/user/withdrawal']) {
    await page.goto(path)
    await page.locator('h1').first().waitFor()
  }
  expect(violations).toEqual([])
  const breach = page.evaluate(() => document.body.setAttribute('onclick', 'void 0'))
  await expect(breach).rejects.toThrow('TrustedScript')
  await expect.poll(() => violations.join()).toContain('require-trusted-types-for')
  const bypass = page.evaluate(() =>
    (
      window as unknown as { trustedTypes: { createPolicy(name: string, rules: object): unknown } }
    ).trustedTypes.createPolicy('evil', { createScript: (text: string) => text }),
  )
  await expect(bypass).rejects.toThrow('disallowed')
})
