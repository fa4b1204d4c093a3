import { type APIRequestContext, expect, type Page } from '@playwright/test'
import { generatePrivateKey } from 'viem/accounts'
import { shortAddress } from '../../src/protocol/short-address.ts'
import { changeData, test } from './changed-replies.ts'
import { InjectedWallet } from './injected-wallet.ts'
import { recordNotices } from './money-pages.ts'
import { phone } from './phone.ts'

test.use(phone)

const OTHER_CHAIN = 1
/** What a wallet must not be asked for while it is set to another account or network. */
const isSigning = ({ method }: { method: string }) => /sign|send/i.test(method)

async function signIn(page: Page, request: APIRequestContext) {
  const { chain_id, network_name } = await (await request.get('/api/chain/')).json()
  const wallet = new InjectedWallet(chain_id, [generatePrivateKey(), generatePrivateKey()])
  await wallet.install(page.context())
  await page.goto('/login/register')
  await page.getByRole('button', { name: 'Test wallet' }).tap()
  await page.waitForURL('**/user/home')
  const [mine, other] = wallet.accounts
  if (!mine || !other) throw new Error('the wallet has two accounts')
  const short = { mine: shortAddress(mine.address.toLowerCase()), other: shortAddress(other.address.toLowerCase()) }
  return { wallet, mine, other, short, network: network_name as string, chainId: chain_id as number }
}

/** Fills in a withdrawal and confirms it. The server is made to report money, so that the wallet is asked to sign. */
async function tryToWithdraw(page: Page): Promise<void> {
  const money = { daily: '100', referral: '100', wallet: '100', outflow_left: '100' }
  await changeData<object>(page, '/withdraw_terms/', (data) => ({ ...data, ...money }))
  await page.goto('/user/withdrawal')
  await page.getByLabel('Amount', { exact: true }).fill('10')
  await page.getByRole('button', { name: 'Withdraw', exact: true }).tap()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign and withdraw' }).tap()
}

const notice = (page: Page) => page.getByRole('alert', { name: 'Your wallet' })

test('another account in the wallet is noticed, signs nothing, and can be switched back or signed in', async ({
  page,
  request,
}) => {
  const notices = await recordNotices(page)
  const { wallet, mine, other, short } = await signIn(page, request)
  await wallet.select(page, other)
  await expect(notice(page)).toContainText(
    `Your wallet is set to ${short.other}, but you are signed in as ${short.mine}`,
  )
  await expect(notice(page)).toContainText('Switch back in your wallet')
  await test.step('the other account is not asked to sign', async () => {
    const before = wallet.shown.length
    await tryToWithdraw(page)
    await expect.poll(notices).toContain('Your wallet is set to another account. Switch back to continue.')
    expect(wallet.shown.slice(before).filter(isSigning)).toEqual([])
    await expect(notice(page)).toBeVisible()
  })
  await test.step('after switching back the notice is gone', async () => {
    await wallet.select(page, mine)
    await expect(notice(page)).toHaveCount(0)
  })
  await test.step('the other account is signed in, and the session of the first one ends', async () => {
    await wallet.select(page, other)
    const { token } = JSON.parse((await page.evaluate(() => localStorage.getItem('user'))) ?? '')
    await page.getByRole('button', { name: `Sign in as ${short.other}` }).tap()
    await page.getByRole('button', { name: 'Create account' }).tap()
    await page.waitForURL('**/user/home')
    const { wallet_address } = JSON.parse((await page.evaluate(() => localStorage.getItem('user'))) ?? '')
    expect(wallet_address).toBe(other.address.toLowerCase())
    await expect(notice(page)).toHaveCount(0)
    const status = async () => (await request.post('/api/auth/me/', { headers: { Token: token }, data: {} })).status()
    await expect.poll(status).toBe(401)
  })
})

test('another network in the wallet is noticed, and one tap adds ours and switches to it', async ({
  page,
  request,
}) => {
  const { wallet, network, chainId } = await signIn(page, request)
  await wallet.changeNetwork(page, OTHER_CHAIN)
  await expect(notice(page)).toContainText(`Your wallet is on another network. We use ${network}`)
  wallet.forget(chainId)
  const before = wallet.shown.length
  await page.getByRole('button', { name: `Switch to ${network}` }).tap()
  await expect(notice(page)).toHaveCount(0)
  expect(wallet.shown.slice(before).map(({ method }) => method)).toEqual([
    'wallet_switchEthereumChain',
    'wallet_addEthereumChain',
    'wallet_switchEthereumChain',
  ])
})

test('a wallet that stays on another network is not asked to sign', async ({ page, request }) => {
  const notices = await recordNotices(page)
  const { wallet, network } = await signIn(page, request)
  await wallet.changeNetwork(page, OTHER_CHAIN)
  wallet.refusesToSwitch = true
  const before = wallet.shown.length
  await tryToWithdraw(page)
  await expect.poll(notices).toContain(`Your wallet is on another network. Switch it to ${network} to continue.`)
  expect(wallet.shown.slice(before).filter(isSigning)).toEqual([])
})
