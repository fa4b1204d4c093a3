import { expect, type Page, test } from '@playwright/test'
import { generatePrivateKey } from 'viem/accounts'
import { shortAddress } from '../../src/protocol/short-address.ts'
import { withDatabase } from './database.ts'
import { InjectedWallet } from './injected-wallet.ts'
import { joinWithDemoWallet } from './member.ts'
import { phone } from './phone.ts'

test.use(phone)

const sheet = (page: Page) => page.getByRole('dialog', { name: 'Change wallet' })
const waiting = (page: Page) => page.getByRole('region', { name: 'Change of your wallet' })
const storedWallet = async (page: Page): Promise<string> =>
  JSON.parse((await page.evaluate(() => localStorage.getItem('user'))) ?? '{}').wallet_address

/** As if the open change to this wallet had been asked for two days earlier. */
const letDelayPass = (wallet: string) =>
  withDatabase(async (client) => {
    await client.query('set session_replication_role = replica')
    await client.query(
      `update wallet_changes set asked_at = asked_at - interval '49 hours',
         takes_effect_at = takes_effect_at - interval '49 hours'
       where to_wallet = $1 and cancelled_at is null`,
      [wallet],
    )
  })

/** Signs up with a browser wallet that has two accounts, and opens the profile. */
async function joinWithTwoAccounts(page: Page, chainId: number) {
  const wallet = new InjectedWallet(chainId, [generatePrivateKey(), generatePrivateKey()])
  await wallet.install(page.context())
  const [mine, other] = [...wallet.accounts]
  if (!mine || !other) throw new Error('the wallet has two accounts')
  await page.goto('/login/register')
  await page.getByRole('button', { name: 'Test wallet' }).tap()
  await page.waitForURL('**/user/home')
  await page.goto('/user/profile')
  return { wallet, mine, other, from: mine.address.toLowerCase(), to: other.address.toLowerCase() }
}
type Joined = Awaited<ReturnType<typeof joinWithTwoAccounts>>

/** Asks for the change on the profile: the current account signs, then the other one. */
async function ask(page: Page, { wallet, mine, other, to }: Joined): Promise<void> {
  await wallet.select(page, mine)
  await page.getByRole('button', { name: 'Change wallet' }).tap()
  await sheet(page).getByLabel('Address of your new wallet').fill(other.address)
  await sheet(page).getByRole('button', { name: 'Sign with your current wallet' }).tap()
  const sign = sheet(page).getByRole('button', { name: 'Sign with Test wallet' })
  await sign.tap()
  await expect(sheet(page).getByRole('alert')).toContainText(`Switch to ${shortAddress(to)} in it`)
  await wallet.select(page, other)
  await expect(page.getByRole('alert', { name: 'Your wallet' })).toHaveCount(0)
  await sign.tap()
  await expect(sheet(page)).toHaveCount(0)
  await expect(waiting(page)).toContainText('Your wallet is about to change')
  await expect(waiting(page)).toContainText(to)
}

/** The sign-in page offers the last account first, and then the one that the wallet is set to. */
async function signInAs(page: Page, wallet: string): Promise<void> {
  await page.goto('/login/register')
  await page.getByRole('button', { name: /^Sign in as/ }).tap()
  await page.getByRole('button', { name: `Sign in as ${shortAddress(wallet)}` }).tap()
}

const hasAccount = (wallet: string) =>
  withDatabase(async (client) => (await client.query('select from users where wallet_address = $1', [wallet])).rowCount)

test('an account moves to another account of the browser wallet: both sign, it can be stopped, and then it is done', async ({
  page,
  request,
}) => {
  const { chain_id } = await (await request.get('/api/chain/')).json()
  const joined = await joinWithTwoAccounts(page, chain_id)
  const { wallet, mine, from, to } = joined
  await test.step('the sheet refuses what is not another address', async () => {
    await page.getByRole('button', { name: 'Change wallet' }).tap()
    const field = sheet(page).getByLabel('Address of your new wallet')
    await field.fill('0x12')
    await expect(sheet(page).getByRole('alert')).toContainText('An address is 0x and 40')
    await field.fill(mine.address)
    await expect(sheet(page).getByRole('alert')).toContainText('This is your current wallet')
    await expect(sheet(page).getByRole('button', { name: 'Sign with your current wallet' })).toBeDisabled()
    await page.keyboard.press('Escape')
    await expect(sheet(page)).toHaveCount(0)
  })
  await test.step('a waiting change is still shown after a reload, and one tap stops it', async () => {
    await ask(page, joined)
    await page.reload()
    await waiting(page).getByRole('button', { name: 'Stop this change' }).tap()
    await expect(waiting(page)).toHaveCount(0)
  })
  await test.step('after the delay the account has the new wallet', async () => {
    await ask(page, joined)
    expect(await storedWallet(page)).toBe(from)
    await letDelayPass(to)
    await expect.poll(() => hasAccount(to)).toBe(1)
    await signInAs(page, to)
    await page.waitForURL('**/user/home')
    expect(await storedWallet(page)).toBe(to)
    await page.goto('/user/profile')
    await expect(page.getByText('Your former wallets.')).toBeVisible()
    await expect(waiting(page)).toHaveCount(0)
  })
  await test.step('the former wallet cannot sign in', async () => {
    await page.evaluate(() => localStorage.clear())
    await wallet.select(page, mine)
    await signInAs(page, from)
    await expect(page.getByText('The wallet of this account was changed.')).toBeVisible()
  })
})

test('a demo wallet can change to a second demo wallet', async ({ page }) => {
  await joinWithDemoWallet(page)
  await page.goto('/user/profile')
  await page.getByRole('button', { name: 'Change wallet' }).tap()
  await test.step('an address whose wallet is not in this browser cannot be signed for', async () => {
    await sheet(page)
      .getByLabel('Address of your new wallet')
      .fill(`0x${'5'.repeat(40)}`)
    await sheet(page).getByRole('button', { name: 'Sign with your current wallet' }).tap()
    await expect(sheet(page)).toContainText('This browser has no wallet for 0x5555')
    await sheet(page).getByRole('button', { name: 'Start again' }).tap()
  })
  await sheet(page).getByRole('button', { name: 'Make a second demo wallet' }).tap()
  await expect(sheet(page).getByLabel('Address of your new wallet')).toHaveValue(/^0x[0-9a-f]{40}$/)
  await sheet(page).getByRole('button', { name: 'Sign with your current wallet' }).tap()
  // The current demo wallet is not offered as the new one.
  await expect(sheet(page).getByRole('button', { name: /^Sign with/ })).toHaveText(['Sign with Second demo wallet'])
  await sheet(page).getByRole('button', { name: 'Sign with Second demo wallet' }).tap()
  await expect(waiting(page)).toContainText('Your wallet is about to change')
})
