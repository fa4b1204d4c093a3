import { encodeFunctionData, erc20Abi, keccak256, stringToHex, toHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseUsdt, WEI_PER_MICRO } from '../src/protocol/money.ts'
import { vaultAbi } from '../src/server/chain/vault-abi.ts'
import { createTestApi } from '../src/server/testing/api.ts'
import { type PaymentChain, startPaymentChain } from '../src/server/testing/chain.ts'
import { aDepositor, type TestUser } from '../src/server/testing/payments.ts'
import { choose, connect, createExits, openExits, type Proof, publishTree, readProof, shows } from './exit/page.ts'

/** exit.html when the vault holds only half of what it owes, and has paid one user since the last root. */
let node: PaymentChain
let exits: Awaited<ReturnType<typeof createExits>>
let ada: TestUser
let ben: TestUser
let proofs: { ada: Proof; ben: Proof }
const wei = (usdt: string): bigint => parseUsdt(usdt) * WEI_PER_MICRO

beforeAll(async () => {
  node = await startPaymentChain()
  const api = await createTestApi({ settings: node.settings })
  try {
    ada = await aDepositor(api, node, '60')
    ben = await aDepositor(api, node, '40')
    await publishTree(api, node)
    proofs = { ada: await readProof(api, ada), ben: await readProof(api, ben) }
  } finally {
    await api.close()
  }
  exits = await createExits(node)
  const args = [keccak256(stringToHex('a last payout')), ada.wallet.address, parseUsdt('10')] as const
  await node.sendCall(node.hotKey, node.vault, encodeFunctionData({ abi: vaultAbi, functionName: 'pay', args }))
  await node.mine()
  await seize('45')
})
afterAll(async () => {
  await exits?.stop()
  await node.stop()
})

/** No key can take this much. It is as if the token's issuer had seized it. */
async function seize(usdt: string): Promise<void> {
  await node.rpc('anvil_impersonateAccount', [node.vault])
  await node.setBalance(node.vault, 10n ** 18n)
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [node.rich, wei(usdt)] })
  await node.rpc('eth_sendTransaction', [{ from: node.vault, to: node.usdt, data, gas: toHex(100_000) }])
  await node.mine()
}

test('in a shortage both users get the same share of what is left to claim, and the rest when money returns', async () => {
  const { page } = await exits.open(ada)
  await choose(page, 'proof', proofs.ada)
  await connect(page)
  await shows(page, 'Exits are not open')
  await openExits(page, node)
  await shows(page, 'Everyone gets the same share, and it can only rise')
  await shows(page, 'Paid to your wallet since10.00 USDT')
  await shows(page, 'You can claim50.00 USDT')
  await page.getByRole('button', { name: 'Withdraw 25.00 USDT' }).click()
  await shows(page, 'You have withdrawn 25.00 USDT of 50.00 USDT')
  expect(await node.balanceOf(ada.wallet.address)).toBe(wei('35'))

  const other = await exits.open(ben)
  await choose(other.page, 'proof', proofs.ben)
  await connect(other.page)
  await other.page.getByRole('button', { name: 'Withdraw 20.00 USDT' }).click()
  await shows(other.page, 'You have withdrawn 20.00 USDT of 40.00 USDT')
  expect([await node.balanceOf(ben.wallet.address), await node.balanceOf(node.vault)]).toEqual([wei('20'), 0n])

  await node.give(node.vault, parseUsdt('9'))
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByRole('button', { name: 'Withdraw 5.00 USDT' }).click()
  await shows(page, 'You have withdrawn 30.00 USDT of 50.00 USDT')
  await page.close()
  await other.page.close()
})
