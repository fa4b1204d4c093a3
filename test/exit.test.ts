import { createWalletClient, http, parseEther } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Address } from '../src/protocol/ids.ts'
import { parseUsdt, WEI_PER_MICRO } from '../src/protocol/money.ts'
import { sweepData } from '../src/server/chain/deposits/lookup.ts'
import { CREATE2_PROXY, proxyCall, readFactoryCode } from '../src/server/embedded/deposit-code.ts'
import { createTestApi } from '../src/server/testing/api.ts'
import { type PaymentChain, startPaymentChain } from '../src/server/testing/chain.ts'
import { aDepositor, type TestUser } from '../src/server/testing/payments.ts'
import { depositAddressOf } from '../src/verifier/deposit-address.ts'
import { TREE_RECORD_BYTES } from '../src/verifier/tree-file.ts'
import { NODE_BYTES } from '../src/verifier/vault-levels.ts'
import { choose, connect, createExits, openExits, type Proof, publishTree, readProof, shows } from './exit/page.ts'

/** exit.html in a real browser, on a real chain. The product is stopped before the first test. */

let exits: Awaited<ReturnType<typeof createExits>>
let node: PaymentChain
let ada: TestUser
let ben: TestUser
/** Proofs of the root before the last one, and the public file of each of the two trees. */
let proofs: { ada: Proof; ben: Proof }
let trees: { old: Buffer; last: Buffer }

beforeAll(async () => {
  node = await startPaymentChain()
  const api = await createTestApi({ settings: node.settings })
  try {
    ada = await aDepositor(api, node, '100.25')
    ben = await aDepositor(api, node, '50')
    const old = await publishTree(api, node)
    proofs = { ada: await readProof(api, ada), ben: await readProof(api, ben) }
    await node.rpc('evm_increaseTime', ['0xa'])
    await aDepositor(api, node, '1')
    trees = { old, last: await publishTree(api, node) }
  } finally {
    await api.close()
  }
  exits = await createExits(node)
})
afterAll(async () => {
  await exits?.stop()
  await node.stop()
})

test('a wrong, changed or foreign file, another chain and closed exits each get a clear sentence', async () => {
  const { page } = await exits.open(ada)
  await connect(page)
  for (const [content, sentence] of [
    [Buffer.from('a photo'), 'This is not a balance proof.'],
    [{ receipt: {} }, 'This is a receipt. Choose a balance proof.'],
    [{ leaf: {} }, 'This proof is from before the vault.'],
    [withAmount(proofs.ada, '1000000'), 'This proof was changed or damaged.'],
    // Ada's wallet in Ben's proof: the wallet is part of the leaf.
    [withWallet(proofs.ben, ada), 'This proof was changed or damaged.'],
    [{ ...proofs.ada, leaf_key: proofs.ben.leaf_key }, 'The leaf key is not the one of this leaf.'],
    [proofs.ada, `Add the file ${proofs.ada.snapshot.epoch + 1}.tree`],
  ] as const) {
    await choose(page, 'proof', content)
    await shows(page, sentence)
  }
  const leafAt = trees.last.indexOf(10) + 1
  const header = trees.last.subarray(0, leafAt).toString()
  const otherVault = header.replace(/"vault":"0x../, '"vault":"0x00')
  const isAda = (at: number) => trees.last.readBigUInt64BE(leafAt + at * TREE_RECORD_BYTES + 32) === 100_250_000n
  const ownAt = leafAt + [0, 1, 2].findIndex(isAda) * TREE_RECORD_BYTES
  for (const [content, sentence] of [
    [Buffer.from('a photo'), 'This is not a tree file'],
    [trees.last.subarray(0, -1), 'The tree file is not complete'],
    [trees.old, `this tree file is of number ${proofs.ada.snapshot.epoch}`],
    [Buffer.concat([Buffer.from(otherVault), trees.last.subarray(leafAt)]), 'of another vault'],
    [withByte(trees.last, header.indexOf('"root":"') + 8), 'does not lead to the root in the vault'],
    [withByte(trees.last, ownAt + 39), 'The tree does not lead to its root'],
    [withByte(trees.last, ownAt + NODE_BYTES + 40), 'Your leaf does not match its hash'],
  ] as const) {
    await choose(page, 'tree', content)
    await shows(page, sentence)
  }
  await choose(page, 'tree', trees.last)
  await shows(page, 'Exits are not open')
  await page.close()

  const elsewhere = await exits.open(ada, { chainId: '0x38', refuses: 'wallet_switchEthereumChain' })
  await connect(elsewhere.page)
  await choose(elsewhere.page, 'proof', proofs.ada)
  await shows(elsewhere.page, 'Your wallet or node is on chain 56, but this proof is for chain 31337.')
  await elsewhere.page.close()
})

const withAmount = (proof: Proof, amount: string): Proof => ({
  ...proof,
  leaf: { ...proof.leaf, balances: proof.leaf.balances.map((row, at) => (at === 3 ? { ...row, amount } : row)) },
})
const withWallet = (proof: Proof, { wallet }: TestUser): Proof => ({
  ...proof,
  leaf: { ...proof.leaf, wallet: wallet.address },
})
/** The same file with one byte changed. A hex digit stays one. */
const withByte = (file: Buffer, at: number): Buffer => {
  const changed = Buffer.from(file)
  changed[at] = changed[at] === 0x30 ? 0x31 : 0x30
  return changed
}

test('without the product, a user gives notice, opens the exits and withdraws exactly what is proven, once', async () => {
  const { page, requests } = await exits.open(ada)
  await choose(page, 'proof', proofs.ada)
  await shows(page, 'Your proof is whole')
  await connect(page)
  await choose(page, 'tree', trees.last)
  await shows(page, 'Exits are not open')

  await openExits(page, node)
  await page.getByRole('button', { name: 'Withdraw 100.25 USDT' }).click()
  await shows(page, 'You have already withdrawn everything: 100.25 USDT')
  expect(await node.balanceOf(ada.wallet.address)).toBe(parseUsdt('100.25') * WEI_PER_MICRO)
  expect(requests).toEqual([`file://${exits.pagePath}`])
  await page.close()
})

test('another account can send an exit, but the money goes to the wallet of the proof', async () => {
  const { page } = await exits.open(ada, { refuses: 'eth_sendTransaction' })
  await connect(page)
  await choose(page, 'proof', proofs.ben)
  await choose(page, 'tree', trees.last)
  await shows(page, `Your wallet is set to ${ada.wallet.address}.`)
  await page.getByRole('button', { name: 'Withdraw 50.00 USDT' }).click()
  await shows(page, 'You declined in your wallet. Nothing was sent.')
  expect(await node.balanceOf(ben.wallet.address)).toBe(0n)

  // With a node instead of a wallet the page shows the transaction, and any tool can send it.
  await page.getByText('Use a node instead of a wallet').click()
  await page.getByLabel('Address of a node').fill(node.settings.RPC_URL)
  await page.getByRole('button', { name: 'Use this node' }).click()
  await page.getByText('Send it with another tool').click()
  const data = (await page.getByLabel('Data of the transaction').inputValue()) as `0x${string}`
  await node.sendCall(ada.wallet.privateKey, node.vault, data)
  await node.mine()
  expect(await node.balanceOf(ben.wallet.address)).toBe(parseUsdt('50') * WEI_PER_MICRO)
  await page.close()
})

test('USDT at a deposit address goes to its wallet by the call that the page names, once exits are open', async () => {
  const address = depositAddressOf(node.vault, ben.wallet.address)
  await node.give(address, parseUsdt('12'))
  await node.setBalance(ada.wallet.address, parseEther('1'))
  await callAs(ada, CREATE2_PROXY, proxyCall(readFactoryCode()), 1_500_000n)
  const before = await node.balanceOf(ben.wallet.address)
  const { page } = await exits.open(ben)
  const factory = (await page.locator('#factory').textContent()) as Address
  const gas = BigInt((await page.locator('#gas').textContent()) ?? '')
  await page.close()
  await callAs(ada, factory, sweepData(node.vault, node.usdt, ben.wallet.address), gas)
  expect(await node.balanceOf(address)).toBe(0n)
  expect(await node.balanceOf(ben.wallet.address)).toBe(before + parseUsdt('12') * WEI_PER_MICRO)
})

async function callAs({ wallet }: TestUser, to: Address, data: `0x${string}`, gas: bigint): Promise<void> {
  const sender = createWalletClient({ account: wallet.account, transport: http(node.settings.RPC_URL) })
  await sender.sendTransaction({ to, data, gas, chain: null })
  await node.mine()
}
