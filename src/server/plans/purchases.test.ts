import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { balance } from '../../protocol/balance.ts'
import { formatUsdt, parseUsdt } from '../../protocol/money.ts'
import { plans } from '../../protocol/plans.ts'
import type { Hash } from '../chain/queries.ts'
import { walletClaimant } from '../chain/transfers-book.ts'
import { watchTransfers } from '../chain/transfers-watch.ts'
import { betClaimant } from '../colour/wallet.ts'
import { runAudit } from '../ledger/audit.ts'
import { allInvariants } from '../operators/invariants.ts'
import { systemClock } from '../platform/clock.ts'
import { aUser, createTestApi, type TestApi } from '../testing/api.ts'
import { type PaymentChain, startPaymentChain } from '../testing/chain.ts'
import { runAsOwner } from '../testing/database.ts'
import { balancesOf, purchaseBody } from '../testing/plans.ts'
import { planClaimant } from './purchases.ts'

let api: TestApi
let node: PaymentChain
const u = parseUsdt
const WEI = 10n ** 18n

beforeAll(async () => {
  node = await startPaymentChain()
  api = await createTestApi({ settings: node.settings })
  await settle()
})
afterAll(async () => {
  await api.close()
  await node.stop()
})

async function watch(): Promise<void> {
  const { db, chain, log } = api.context
  const claimants = [planClaimant(systemClock), betClaimant, walletClaimant]
  while (await watchTransfers({ db, chain, log, claimants, settle: async () => undefined }));
}

/** Makes everything sent so far final and lets the watcher see it. */
async function settle(): Promise<void> {
  await node.mine(3)
  await watch()
}

/** Lets the time pass that an unclaimed transfer waits for its claim. */
async function expireGrace(): Promise<void> {
  const older = `update chain_transfers set recorded_at = recorded_at - interval '1 hour'`
  const unguarded = (what: string) =>
    `alter table chain_transfers disable trigger append_only; ${what}; alter table chain_transfers enable trigger append_only`
  await runAsOwner(api.database.ownerUrl, unguarded(older))
  await watch()
}

async function aPayer(amount = '1000') {
  const user = await aUser(api)
  await node.give(user.wallet.address, u(amount))
  return { ...user, key: user.wallet.privateKey as Hash }
}
type Payer = Awaited<ReturnType<typeof aPayer>>

const claim = (user: Payer, hash: string, amount = '100', changes: object = {}) =>
  api.send('POST', '/gamebuyplan/', { ...purchaseBody(api, user, amount, 2, hash), ...changes }, { token: user.token })
const claimBet = (user: Payer, hash: string, amount = '100') =>
  api.send(
    'POST',
    '/betwallet/',
    { direction: 'deposit', source: 'chain', amount, trans_hash: hash },
    { token: user.token },
  )
async function held(user: Payer) {
  const { plan, wallet, bet } = await balancesOf(api, user)
  return { plan: formatUsdt(plan as never), wallet: formatUsdt(wallet as never), bet: formatUsdt(bet as never) }
}
const nothing = { plan: '0', wallet: '0', bet: '0' }

const word = (value: bigint | string) =>
  (typeof value === 'string' ? value.slice(2) : value.toString(16)).padStart(64, '0')
const callData = (selector: string, to: string, amount: bigint) => `0x${selector}${word(to)}${word(amount)}` as Hash
const transferData = (to: string, amount: bigint) => callData('a9059cbb', to, amount)

describe('a crafted transaction credits no plan, and says why', () => {
  type Crafted = {
    name: string
    send: (payer: Payer, other: Payer) => Promise<Hash>
    says: string
    /** What its sender gets all the same, because it did reach us. */
    wallet?: string
  }
  const pay = (wei: bigint) => (payer: Payer) => node.sendToken(payer.key, node.hot, wei)
  const crafted: Crafted[] = [
    {
      name: 'another token',
      send: async (payer) => {
        await node.give(payer.wallet.address, u('100'), node.otherToken)
        return node.sendToken(payer.key, node.hot, 100n * WEI, { token: node.otherToken })
      },
      says: 'The transaction moves no USDT of this network',
    },
    {
      name: 'another receiver',
      send: (payer, other) => node.sendToken(payer.key, other.wallet.address, 100n * WEI),
      says: 'The transaction does not pay our address',
    },
    {
      name: 'oneself as receiver',
      send: (payer) => node.sendToken(payer.key, payer.wallet.address, 100n * WEI),
      says: 'The transaction does not pay our address',
    },
    {
      name: 'the token itself as receiver',
      send: (payer) => node.sendToken(payer.key, node.usdt, 100n * WEI),
      says: 'The transaction does not pay our address',
    },
    {
      name: 'another sender',
      send: (_payer, other) => node.pay(other.key, u('100')),
      says: 'The transaction pays from another wallet than yours',
    },
    {
      name: 'a micro-USDT more',
      send: pay(100_000_001n * 10n ** 12n),
      says: 'The transaction pays 100.000001 USDT, not 100',
      wallet: '100.000001',
    },
    {
      name: 'a micro-USDT less',
      send: pay(99_999_999n * 10n ** 12n),
      says: 'The transaction pays 99.999999 USDT, not 100',
      wallet: '99.999999',
    },
    {
      name: 'a wei more',
      send: pay(100n * WEI + 1n),
      says: 'The transaction pays 100.000000000000000001 USDT, not 100',
      wallet: '100',
    },
    {
      name: 'a wei less',
      send: pay(100n * WEI - 1n),
      says: 'The transaction pays 99.999999999999999999 USDT, not 100',
      wallet: '99.999999',
    },
    { name: 'a hundred wei', send: pay(100n), says: 'The transaction pays 0.0000000000000001 USDT, not 100' },
    { name: 'the double', send: pay(200n * WEI), says: 'The transaction pays 200 USDT, not 100', wallet: '200' },
    { name: 'a tenth', send: pay(10n * WEI), says: 'The transaction pays 10 USDT, not 100', wallet: '10' },
    { name: 'nothing at all', send: pay(0n), says: 'The transaction pays 0 USDT, not 100' },
    {
      name: 'more than the sender has, so that it fails',
      send: (payer) => node.sendToken(payer.key, node.hot, 5_000n * WEI),
      says: 'The transaction failed on chain: nothing was moved',
    },
    {
      name: 'a call that the token does not know, so that it fails',
      send: (payer) => node.sendCall(payer.key, node.usdt, callData('ffffffff', node.hot, 100n * WEI)),
      says: 'The transaction failed on chain: nothing was moved',
    },
    {
      name: 'an approval',
      send: (payer) => node.sendCall(payer.key, node.usdt, callData('095ea7b3', node.hot, 100n * WEI)),
      says: 'The transaction moves no USDT of this network',
    },
    {
      name: 'the chain’s own coin',
      send: (payer) => node.sendCall(payer.key, node.hot, '0x', WEI),
      says: 'The transaction moves no USDT of this network',
    },
    {
      name: 'the words of a transfer, sent to a wallet',
      send: (payer, other) => node.sendCall(payer.key, other.wallet.address, transferData(node.hot, 100n * WEI)),
      says: 'The transaction moves no USDT of this network',
    },
  ]

  test.each(crafted)('$name', async ({ send, says, wallet = '0' }) => {
    const [payer, other] = [await aPayer(), await aPayer()]
    const hash = await send(payer, other)
    await node.mine(1)
    const reply = await claim(payer, hash)
    expect(reply).toMatchObject({ status: 400, body: { code: 'chain_transfer_refused', Msg: says } })
    await settle()
    await expireGrace()
    expect(await held(payer)).toEqual({ ...nothing, wallet })
    expect((await held(other)).plan).toBe('0')
  })

  const claims: { name: string; changes: object; status: number; field: string }[] = [
    { name: 'another tier than the amount is of', changes: { package_type: 1 }, status: 400, field: 'usdt_amount' },
    { name: 'a tier above', changes: { package_type: 3 }, status: 400, field: 'usdt_amount' },
    { name: 'a re top up', changes: { package_type: 5 }, status: 400, field: 'trans_hash' },
    { name: 'a fee', changes: { package_type: 7 }, status: 400, field: 'trans_hash' },
    { name: 'a type that does not exist', changes: { package_type: 9 }, status: 400, field: 'package_type' },
    { name: 'a gross amount', changes: { gross_amount: '111' }, status: 400, field: 'gross_amount' },
    { name: 'another wallet', changes: { from_address: `0x${'9'.repeat(40)}` }, status: 400, field: 'from_address' },
    { name: 'another receiver', changes: { to_address: `0x${'9'.repeat(40)}` }, status: 400, field: 'to_address' },
    { name: 'a hash cut short', changes: { trans_hash: '0xabc' }, status: 400, field: 'trans_hash' },
    {
      name: 'the wallet balance, which is empty',
      changes: { trans_hash: 'internal1' },
      status: 400,
      field: 'usdt_amount',
    },
  ]
  test.each(claims)('a true payment claimed as $name', async ({ changes, status, field }) => {
    const payer = await aPayer()
    const hash = await node.pay(payer.key, u('100'))
    await node.mine(1)
    expect(await claim(payer, hash, '100', changes)).toMatchObject({ status, body: { field } })
    await settle()
    await expireGrace()
    expect(await held(payer)).toEqual({ ...nothing, wallet: '100' })
  })
})

test('a purchase is pending, counts confirmations and becomes active by itself', async () => {
  const payer = await aPayer()
  const hash = await node.pay(payer.key, u('100'))
  expect((await claim(payer, hash)).body).toMatchObject({
    status: 'pending',
    confirmations: 0,
    Msg: 'Waiting for the network to take your transfer',
  })
  await node.mine(1)
  expect((await claim(payer, hash)).body).toMatchObject({
    status: 'pending',
    confirmations: 1,
    Msg: '1 of 3 confirmations',
  })
  const { data } = await api.call(balance.details, {}, payer.token)
  expect(data.pending).toMatchObject([{ trans_hash: hash, usdt_amount: u('100'), package_type: 2 }])
  // Nobody asks any more: the browser is closed.
  await settle()
  expect(await held(payer)).toEqual({ ...nothing, plan: '100' })
  const done = await claim(payer, hash)
  expect(done.body).toMatchObject({ status: 'success', Msg: 'Your plan of 100 USDT is active' })
  const after = await api.call(balance.details, {}, payer.token)
  expect(after.data).toMatchObject({ pending: [], lots: [{ tier: 'Active', amount: u('100') }] })
  const history = await api.call(plans.history, {}, payer.token)
  expect(history.data).toMatchObject([{ Plan_name: 'USDT Active', trans_hash: hash }])
})

test('a hash posted before the network knows it completes once it is mined', async () => {
  const payer = await aPayer()
  expect((await claim(payer, `0x${'cd'.repeat(32)}`)).body).toMatchObject({ status: 'pending', confirmations: 0 })
  await settle()
  expect(await held(payer)).toEqual(nothing)
})

test('a replayed hash answers like the first time and credits nothing more, in any spelling', async () => {
  const payer = await aPayer()
  const hash = await node.pay(payer.key, u('100'))
  await claim(payer, hash)
  await settle()
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, at) => claim(payer, at % 2 ? hash : `0x${hash.slice(2).toUpperCase()}`)),
  )
  for (const reply of replies) expect(reply.body).toMatchObject({ status: 'success' })
  expect(await claim(payer, hash, '101')).toMatchObject({ status: 409, body: { code: 'chain_transfer_used' } })
  await settle()
  expect(await held(payer)).toEqual({ ...nothing, plan: '100' })
})

test('one hash serves one product, whichever asks first', async () => {
  const [first, second] = [await aPayer(), await aPayer()]
  const [planHash, betHash] = [await node.pay(first.key, u('100')), await node.pay(second.key, u('100'))]
  await node.mine(1)
  expect((await claim(first, planHash)).status).toBe(200)
  expect(await claimBet(first, planHash)).toMatchObject({ status: 400, body: { Msg: 'Transaction already recorded' } })
  expect((await claimBet(second, betHash)).status).toBe(200)
  expect(await claim(second, betHash)).toMatchObject({
    status: 409,
    body: { code: 'chain_transfer_used', Msg: 'This transaction was used before' },
  })
  await settle()
  expect(await held(first)).toEqual({ ...nothing, plan: '100' })
  expect(await held(second)).toEqual({ ...nothing, bet: '100' })
})

test('the same hash to two products at the same moment serves one of them', async () => {
  const payer = await aPayer()
  const hash = await node.pay(payer.key, u('100'))
  await node.mine(1)
  const replies = await Promise.all([
    ...Array.from({ length: 5 }, () => claim(payer, hash)),
    ...Array.from({ length: 5 }, () => claimBet(payer, hash)),
  ])
  expect(new Set(replies.map(({ status }) => status)).size).toBe(2)
  await settle()
  const { plan, wallet, bet } = await held(payer)
  expect([plan, wallet, bet].toSorted()).toEqual(['0', '0', '100'])
})

test("another user's hash buys nothing, before and after it was credited", async () => {
  const [payer, thief] = [await aPayer(), await aPayer()]
  const hash = await node.pay(payer.key, u('100'))
  const early = await claim(thief, hash)
  expect(early.body).toMatchObject({ status: 'pending', confirmations: 0 })
  await node.mine(1)
  expect(await claim(thief, hash)).toMatchObject({
    body: { Msg: 'The transaction pays from another wallet than yours' },
  })
  expect((await claim(payer, hash)).status).toBe(200)
  await settle()
  expect(await claim(thief, hash)).toMatchObject({
    body: { Msg: 'The transaction pays from another wallet than yours' },
  })
  expect(await held(payer)).toEqual({ ...nothing, plan: '100' })
  expect(await held(thief)).toEqual(nothing)
})

test('a payment dropped by a reorg credits nothing, and mined again it credits once', async () => {
  const payer = await aPayer()
  const hash = await node.pay(payer.key, u('100'))
  await node.mine(1)
  const raw = await node.rpc('eth_getRawTransactionByHash', [hash])
  expect((await claim(payer, hash)).body).toMatchObject({ status: 'pending', confirmations: 1 })
  await node.reorg(1)
  await settle()
  expect(await held(payer)).toEqual(nothing)
  expect((await claim(payer, hash)).body).toMatchObject({ status: 'pending', confirmations: 0 })
  await node.rpc('eth_sendRawTransaction', [raw])
  await settle()
  expect((await claim(payer, hash)).body).toMatchObject({ status: 'success' })
  expect(await held(payer)).toEqual({ ...nothing, plan: '100' })
})

test('of two transfers in one transaction the claimed one buys a plan, the other is in the wallet', async () => {
  const payer = await aPayer()
  // For the length of one call the wallet is a program that sends the same transfer twice.
  const token = node.usdt.slice(2)
  const once = `5f5f365f5f73${token}5af150`
  await node.setCode(payer.wallet.address, `0x365f5f37${once}${once}00`)
  const hash = await node.sendCall(node.richKey, payer.wallet.address, transferData(node.hot, 100n * WEI))
  await node.mine(1)
  await node.setCode(payer.wallet.address, '0x')
  expect((await claim(payer, hash)).body).toMatchObject({ status: 'pending' })
  await settle()
  await expireGrace()
  expect(await held(payer)).toEqual({ ...nothing, plan: '100', wallet: '100' })
})

test('what would pass the cap goes to the wallet balance, and the claim says why', async () => {
  const payer = await aPayer('6000')
  await claim(payer, await node.pay(payer.key, u('4950')), '4950', { package_type: 4 })
  await settle()
  const hash = await node.pay(payer.key, u('100'))
  await claim(payer, hash)
  await settle()
  expect(await claim(payer, hash)).toMatchObject({
    status: 400,
    body: { Msg: 'Maximum investment You can 50 USDT. The money is in your wallet balance.' },
  })
  expect(await held(payer)).toEqual({ plan: '4950', wallet: '100', bet: '0' })
})

test('what nobody posts is in the wallet balance, and buys a plan from there', async () => {
  const payer = await aPayer()
  const hash = await node.pay(payer.key, u('100'))
  await settle()
  await expireGrace()
  expect(await held(payer)).toEqual({ ...nothing, wallet: '100' })
  expect(await claim(payer, hash)).toMatchObject({
    status: 409,
    body: { Msg: 'This transfer is in your wallet balance already: pay from there' },
  })
  expect((await claim(payer, 'internalwallet1')).body).toMatchObject({ status: 'success' })
  expect(await held(payer)).toEqual({ ...nothing, plan: '100' })
})

test('with the chain node away a purchase is remembered and completes when it is back', async () => {
  const payer = await aPayer()
  const hash = await node.pay(payer.key, u('100'))
  const { chain } = api.context
  const awake = chain.client
  const broken = new Proxy(awake, { get: () => () => Promise.reject(new Error('connection refused')) })
  chain.client = broken
  const reply = await claim(payer, hash)
  chain.client = awake
  expect(reply.body).toMatchObject({
    status: 'pending',
    Msg: 'The chain node does not answer just now. Your purchase is remembered and completes by itself.',
  })
  await settle()
  expect(await held(payer)).toEqual({ ...nothing, plan: '100' })
})

test('after all of this the books are whole and agree with the chain', async () => {
  await expireGrace()
  const { db, chain } = api.context
  const report = await runAudit(db, allInvariants(chain))
  expect(report.invariants.filter(({ findings }) => findings.length > 0)).toEqual([])
})
