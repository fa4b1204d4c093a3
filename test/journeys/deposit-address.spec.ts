import { expect, type Page } from '@playwright/test'
import { createWalletClient, erc20Abi, http, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { depositAddressOf } from '../../src/verifier/deposit-address.ts'
import { changeReply, test } from './changed-replies.ts'
import { joinWithDemoWallet, post } from './member.ts'
import { FINAL_MS } from './plan-purchase.ts'

test.use({ serviceWorkers: 'block' })

const sheet = (page: Page) => page.getByRole('dialog', { name: 'Add money' })
const code = (page: Page) => sheet(page).getByRole('img', { name: 'QR code of your deposit address' })

async function openSheet(page: Page) {
  await page.goto('/user/wallet')
  await page.getByRole('button', { name: 'Add money', exact: true }).click()
  await sheet(page).getByText('Exchange', { exact: true }).click()
}

test('USDT from a stranger’s wallet to the personal address arrives in the wallet balance, with its progress', async ({
  page,
  request,
  baseURL,
}) => {
  const user = await joinWithDemoWallet(page)
  await openSheet(page)
  await expect(code(page)).toBeVisible()
  const chain = await (await request.get('/api/chain/')).json()
  const address = depositAddressOf(chain.support, user.wallet_address)
  await expect(sheet(page)).toContainText(address)
  await expect(sheet(page)).toContainText('Checked in this browser')
  await expect(sheet(page)).toContainText('None in the last hours')

  const stranger = privateKeyToAccount(generatePrivateKey())
  await post(request, '/api/dev/faucet/', { wallet_address: stranger.address.toLowerCase() })
  const client = createWalletClient({ account: stranger, transport: http(`${baseURL}/api/rpc/`) })
  const args = [address, parseEther('12.5')] as const
  const call = { address: chain.tokens.usdt.address, abi: erc20Abi, functionName: 'transfer', args } as const
  await client.writeContract({ ...call, chain: null, gas: 100_000n })
  const payment = sheet(page).getByRole('region', { name: 'Payments to this address' }).getByRole('listitem')
  await expect(payment).toContainText('12.50')
  await expect(payment).toContainText('In your wallet balance', { timeout: FINAL_MS })
  await page.goto('/user/wallet')
  await expect(page.getByLabel('Your money', { exact: true }).locator('dl')).toContainText('12.50')
})

test('a server that shows another address is caught: no QR code, no address', async ({ page }) => {
  await joinWithDemoWallet(page)
  const lie = `0x${'ab'.repeat(20)}`
  await changeReply(page, '/deposit-address/', (body) => ({ ...body, address: lie }))
  await openSheet(page)
  await expect(sheet(page).getByRole('alert')).toContainText('Do not send anything')
  await expect(code(page)).toHaveCount(0)
  await expect(sheet(page)).not.toContainText(lie)
})
