import { sql } from 'kysely'
import { encodeFunctionData, erc20Abi, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Address } from '../../../protocol/ids.ts'
import { parseUsdt, WEI_PER_MICRO } from '../../../protocol/money.ts'
import { wallet } from '../../../protocol/wallet.ts'
import { depositAddressOf } from '../../../verifier/deposit-address.ts'
import { findFlags, listFlags } from '../../features/referrals/flags.ts'
import { lookUpFunding } from '../../features/referrals/funding.ts'
import { walletOwners } from '../../features/users/users.ts'
import { runAudit } from '../../ledger/audit.ts'
import { getUserBalances } from '../../ledger/balances.ts'
import { allInvariants } from '../../operators/invariants.ts'
import { transaction } from '../../platform/db.ts'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'
import { type PaymentChain, startPaymentChain } from '../../testing/chain.ts'
import { runAsOwner } from '../../testing/database.ts'
import { aDepositUser, settleDeposits, sweepOnce } from '../../testing/deposits.ts'
import { depositFactoryAbi } from '../deposit-abi.ts'
import type { Hash } from '../tables.ts'
import { vaultAbi } from '../vault-abi.ts'
import { DEPOSIT_FACTORY_ADDRESS } from './personal.ts'
import { sweepDeposits } from './sweep.ts'

let api: TestApi
let node: PaymentChain
const NO_TOKEN: Address = `0x${'0'.repeat(40)}`
const exchange = generatePrivateKey()

beforeAll(async () => {
  node = await startPaymentChain()
  api = await createTestApi({ settings: node.settings })
  await sweepOnce(api.context)
  await node.give(privateKeyToAccount(exchange).address.toLowerCase() as Address, parseUsdt('100000'))
})
afterAll(async () => {
  await api.close()
  await node.stop()
})

/** A payment from an exchange. It waits in the mempool. */
const send = (to: Address, amount: string) => node.sendToken(exchange, to, parseUsdt(amount) * WEI_PER_MICRO)
const settle = (passes?: number) => settleDeposits(api, node, passes)
const balanceOf = async ({ number }: { number: number }) => (await getUserBalances(api.context.db, number)).wallet
const ask = ({ token }: { token: string }) => api.call(wallet.depositAddress, {}, token)
const statesOf = async (user: { token: string }) => (await ask(user)).payments.map(({ state }) => state)
async function broken(): Promise<number[]> {
  const { invariants } = await runAudit(api.context.db, allInvariants(api.context.chain))
  return invariants.filter(({ outcome }) => outcome !== 'held').map(({ number }) => number)
}
/** Anyone can call the factory. */
async function sweepAsStranger(wallets: Address[], token: Address = node.usdt): Promise<void> {
  const data = encodeFunctionData({ abi: depositFactoryAbi, functionName: 'sweep', args: [node.vault, token, wallets] })
  const stranger = privateKeyToAccount(generatePrivateKey())
  await node.setBalance(stranger.address.toLowerCase() as Address, parseEther('10'))
  const { client } = api.context.chain
  const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n }
  const terms = { chainId: 31337, type: 'eip1559', gas: 5_000_000n, nonce: 0, ...fees } as const
  const raw = await stranger.signTransaction({ ...terms, to: DEPOSIT_FACTORY_ADDRESS, data })
  await client.sendRawTransaction({ serializedTransaction: raw })
  await node.mine()
}

test('two payments from an exchange are moved by one sweep and credited once to their user', async () => {
  const [user, other] = [await aDepositUser(api), await aDepositUser(api)]
  expect(user.address).toBe(depositAddressOf(node.vault, user.wallet.address))
  const [first, second] = [await send(user.address, '40.5'), await send(user.address, '2')]
  await send(other.address, '7')
  await node.mine()
  expect((await ask(user)).payments).toMatchObject([
    { trans_hash: second, amount: parseUsdt('2'), state: 'seen' },
    { trans_hash: first, amount: parseUsdt('40.5'), state: 'seen' },
  ])
  await settle()
  expect([await balanceOf(user), await balanceOf(other)]).toEqual([parseUsdt('42.5'), parseUsdt('7')])
  expect(await statesOf(user)).toEqual(['credited', 'credited'])
  expect(await node.balanceOf(user.address)).toBe(0n)
  const { data } = await api.call(wallet.deposits, {}, user.token)
  expect(data).toMatchObject([{ amount: parseUsdt('42.5'), product: 'wallet', state: 'credited' }])
  // The address works again, and what was credited stays credited once.
  await send(user.address, '1')
  await settle()
  expect(await balanceOf(user)).toBe(parseUsdt('43.5'))
  expect(await broken()).toEqual([])
})

test('less than the minimum waits, and is credited together with what follows', async () => {
  const user = await aDepositUser(api)
  await send(user.address, '0.6')
  await settle()
  expect(await balanceOf(user)).toBe(0n)
  expect(await statesOf(user)).toEqual(['small'])
  await send(user.address, '0.4')
  await settle()
  expect(await balanceOf(user)).toBe(parseUsdt('1'))
})

test('a sweep by a stranger is credited to the user of the address, even one who asks for it only later', async () => {
  const [user, late] = [await aDepositUser(api), await aUser(api)]
  await send(user.address, '5')
  await send(depositAddressOf(node.vault, late.wallet.address), '6')
  await node.mine()
  await sweepAsStranger([user.wallet.address, late.wallet.address])
  expect(await statesOf(user)).toEqual(['moving'])
  await settle()
  expect([await balanceOf(user), await balanceOf(late)]).toEqual([parseUsdt('5'), 0n])
  await ask(late)
  await settle()
  expect(await balanceOf(late)).toBe(parseUsdt('6'))
  expect(await broken()).toEqual([])
})

test('no claim changes where the money goes: neither a stranger’s nor the user’s own', async () => {
  const [user, thief] = [await aDepositUser(api), await aUser(api)]
  await send(user.address, '30')
  await node.mine()
  await sweepOnce(api.context)
  const { rows } = await sql<{ hash: Hash }>`
    select a.tx_hash as hash from vault_call_attempts a join vault_calls c using (chain_id, wallet, nonce)
    where c.closed_at is null and c.kind = 'sweep'`.execute(api.context.db)
  const trans_hash = rows[0]?.hash
  // Both claim the sweep while it waits in the mempool, when its receipt cannot refuse them yet.
  for (const claimant of [thief, user]) {
    const deposit = { trans_hash, amount: '30' }
    expect((await api.send('POST', '/wallet_deposit/', deposit, { token: claimant.token })).status).toBe(200)
  }
  await settle()
  expect([await balanceOf(user), await balanceOf(thief)]).toEqual([parseUsdt('30'), 0n])
  for (const claimant of [await aUser(api), await aDepositUser(api)]) {
    const repeat = { trans_hash, amount: '30' }
    expect(await api.send('POST', '/wallet_deposit/', repeat, { token: claimant.token })).toMatchObject({
      status: 400,
      body: { code: 'payment_refused', Msg: 'The transaction was not paid from your wallet' },
    })
  }
  expect(await broken()).toEqual([])
})

test('a forged row sends no money to another user, and the audit names it', async () => {
  const [victim, thief] = [await aUser(api), await aDepositUser(api)]
  // The factory must exist, so that a stranger can sweep.
  await settle()
  const address = depositAddressOf(node.vault, victim.wallet.address)
  const forge = (vault: Address, wallet: Address) =>
    sql`insert into chain_deposit_addresses (address, chain_id, vault, user_number, wallet)
      values (${address}, 31337, ${vault}, ${thief.number}, ${wallet})`.execute(api.context.db)
  const remove = () =>
    runAsOwner(api.database.ownerUrl, `delete from chain_deposit_addresses where address = '${address}'`)
  // The API's login may insert rows, but each wallet has one address per vault.
  await expect(forge(node.vault, thief.wallet.address)).rejects.toThrow('unique')
  await forge(NO_TOKEN, thief.wallet.address)
  await send(address, '50')
  await node.mine()
  await sweepAsStranger([victim.wallet.address])
  expect(await node.balanceOf(address)).toBe(0n)
  await settle()
  expect([await balanceOf(victim), await balanceOf(thief)]).toEqual([0n, 0n])
  expect(await broken()).toEqual([33])
  expect((await api.send('GET', '/deposit-address/', undefined, { token: victim.token })).status).toBe(500)
  await remove()
  // The right address and wallet, but for the wrong user.
  await forge(node.vault, victim.wallet.address)
  await settle()
  expect([await balanceOf(victim), await balanceOf(thief)]).toEqual([0n, 0n])
  expect(await broken()).toEqual([33])
  await remove()
  await ask(victim)
  await settle()
  expect([await balanceOf(victim), await balanceOf(thief)]).toEqual([parseUsdt('50'), 0n])
  expect(await broken()).toEqual([])
})

test('two workers at the same moment sign one sweep', async () => {
  const user = await aDepositUser(api)
  await send(user.address, '9')
  await node.mine()
  const { db, chain, log, config } = api.context
  const sweeper = { db, chain, log, owners: walletOwners, minimum: config.depositMin }
  await Promise.all([1, 2, 3].map(() => sweepDeposits(sweeper)))
  const { rows } = await sql`select from vault_calls where kind = 'sweep' and closed_at is null`.execute(db)
  expect(rows).toHaveLength(1)
  await settle()
  expect(await balanceOf(user)).toBe(parseUsdt('9'))
})

test('the publisher keeps enough BNB for its roots: sweeps wait', async () => {
  const user = await aDepositUser(api)
  const publisher = privateKeyToAccount(node.roles.publisherKey).address.toLowerCase() as Address
  await node.setBalance(publisher, parseEther('0.001'))
  await send(user.address, '9')
  await settle()
  expect(await statesOf(user)).toEqual(['seen'])
  await node.setBalance(publisher, parseEther('100'))
  await settle()
  expect(await balanceOf(user)).toBe(parseUsdt('9'))
})

test('users of one exchange are not taken for one person', async () => {
  const users = [await aDepositUser(api), await aDepositUser(api)]
  for (const { address } of users) await send(address, '20')
  await settle()
  for (const user of users) expect(await balanceOf(user)).toBe(parseUsdt('20'))
  await lookUpFunding(api.context)
  await transaction(api.context.db, findFlags)
  const flags = await listFlags(api.context.db, { all: true, limit: 50 })
  expect(flags.filter(({ kind }) => kind === 'funding')).toEqual([])
})

test('another token and the coin go to the wallet of the user', async () => {
  const user = await aDepositUser(api)
  const coins = () => api.context.chain.client.getBalance({ address: user.wallet.address })
  await node.setBalance(user.wallet.address, 0n)
  await node.give(user.address, parseUsdt('3'), node.otherToken)
  // Before the contract exists nothing can refuse the coin.
  await node.setBalance(user.address, parseEther('2'))
  await sweepAsStranger([user.wallet.address], node.otherToken)
  await sweepAsStranger([user.wallet.address], NO_TOKEN)
  expect(await coins()).toBe(parseEther('2'))
  const query = { address: node.otherToken, abi: erc20Abi, functionName: 'balanceOf' } as const
  const held = await api.context.chain.client.readContract({ ...query, args: [user.wallet.address] })
  expect(held).toBe(parseUsdt('3') * WEI_PER_MICRO)
  // Now it exists, so a transfer of the coin fails and the sender keeps it.
  const hash = await node.sendCall(exchange, user.address, '0x', parseEther('1'))
  await node.mine()
  expect((await api.context.chain.client.getTransactionReceipt({ hash })).status).toBe('reverted')
})

test('without a fresh root the money stays at its address; once exits are open it goes to the wallet', async () => {
  const [user, other] = [await aDepositUser(api), await aDepositUser(api)]
  await node.rpc('evm_increaseTime', [2 * 3_600 + 60])
  await node.mine()
  await send(user.address, '8')
  await settle()
  expect(await statesOf(user)).toEqual(['seen'])
  await node.publish()
  await node.mine()
  await settle()
  expect(await balanceOf(user)).toBe(parseUsdt('8'))

  await send(other.address, '4')
  for (const [name, hours] of [
    ['callExits', 6 * 24],
    ['openExits', 24],
  ] as const) {
    await node.rpc('evm_increaseTime', [hours * 3_600 + 60])
    await node.mine()
    await node.sendCall(exchange, node.vault, encodeFunctionData({ abi: vaultAbi, functionName: name }))
    await node.mine()
  }
  await settle()
  const { exits_open, payments } = await ask(other)
  expect([exits_open, payments[0]?.state]).toEqual([true, 'seen'])
  await sweepAsStranger([other.wallet.address])
  await settle()
  expect(await node.balanceOf(other.wallet.address)).toBe(parseUsdt('4') * WEI_PER_MICRO)
  expect(await statesOf(other)).toEqual(['returned'])
  expect(await balanceOf(other)).toBe(0n)
})
