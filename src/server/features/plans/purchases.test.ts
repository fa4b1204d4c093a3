import { afterAll, expect, test } from 'vitest'
import { balance } from '../../../protocol/balance.ts'
import { parseUsdt } from '../../../protocol/money.ts'
import { plans } from '../../../protocol/plans.ts'
import { NOTHING, type Payer, startPurchaseScene, transferData } from '../../testing/purchases.ts'

const u = parseUsdt
const WEI = 10n ** 18n

const scene = await startPurchaseScene()
afterAll(() => scene.stop())

const claimBet = (user: Payer, hash: string, amount = '100') => {
  const body = { direction: 'deposit', source: 'chain', amount, trans_hash: hash }
  return scene.api.send('POST', '/betwallet/', body, { token: user.token })
}

test('a purchase is pending, counts confirmations, and becomes active even with the browser closed', async () => {
  const payer = await scene.aPayer()
  const hash = await scene.node.pay(payer.key, u('100'))
  expect((await scene.claim(payer, hash)).body).toMatchObject({
    status: 'pending',
    confirmations: 0,
    Msg: 'Waiting for the network to pick up your payment',
  })
  await scene.node.mine(1)
  expect((await scene.claim(payer, hash)).body).toMatchObject({
    status: 'pending',
    confirmations: 1,
    Msg: '1 of 3 confirmations',
  })
  const { data } = await scene.api.call(balance.details, {}, payer.token)
  expect(data.pending).toMatchObject([{ trans_hash: hash, usdt_amount: u('100'), package_type: 2 }])
  // The browser is closed: it sends no more calls.
  await scene.settle()
  expect(await scene.held(payer)).toEqual({ ...NOTHING, plan: '100' })
  const done = await scene.claim(payer, hash)
  expect(done.body).toMatchObject({ status: 'success', Msg: 'Your plan of 100 USDT is active' })
  const after = await scene.api.call(balance.details, {}, payer.token)
  expect(after.data).toMatchObject({ pending: [], lots: [{ tier: 'Active', amount: u('100') }] })
  const history = await scene.api.call(plans.history, {}, payer.token)
  expect(history.data).toMatchObject([{ Plan_name: 'USDT Active', trans_hash: hash }])
})

test('a hash that the network does not know stays pending and credits nothing', async () => {
  const payer = await scene.aPayer()
  expect((await scene.claim(payer, `0x${'cd'.repeat(32)}`)).body).toMatchObject({ status: 'pending', confirmations: 0 })
  await scene.settle()
  expect(await scene.held(payer)).toEqual(NOTHING)
})

test('a replayed hash gets the same reply and credits nothing more, in upper or lower case', async () => {
  const payer = await scene.aPayer()
  const hash = await scene.node.pay(payer.key, u('100'))
  await scene.claim(payer, hash)
  await scene.settle()
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, at) => scene.claim(payer, at % 2 ? hash : `0x${hash.slice(2).toUpperCase()}`)),
  )
  for (const reply of replies) expect(reply.body).toMatchObject({ status: 'success' })
  expect(await scene.claim(payer, hash, '101')).toMatchObject({ status: 409, body: { code: 'payment_used' } })
  await scene.settle()
  expect(await scene.held(payer)).toEqual({ ...NOTHING, plan: '100' })
})

test('a hash pays for one product only, the first that claims it', async () => {
  const [first, second] = [await scene.aPayer(), await scene.aPayer()]
  const [planHash, betHash] = [await scene.node.pay(first.key, u('100')), await scene.node.pay(second.key, u('100'))]
  await scene.node.mine(1)
  expect((await scene.claim(first, planHash)).status).toBe(200)
  expect(await claimBet(first, planHash)).toMatchObject({ status: 400, body: { Msg: 'Transaction already recorded' } })
  expect((await claimBet(second, betHash)).status).toBe(200)
  expect(await scene.claim(second, betHash)).toMatchObject({
    status: 409,
    body: { code: 'payment_used', Msg: 'This transaction was already used' },
  })
  await scene.settle()
  expect(await scene.held(first)).toEqual({ ...NOTHING, plan: '100' })
  expect(await scene.held(second)).toEqual({ ...NOTHING, bet: '100' })
})

test('a hash claimed for two products at once pays for one of them', async () => {
  const payer = await scene.aPayer()
  const hash = await scene.node.pay(payer.key, u('100'))
  await scene.node.mine(1)
  const replies = await Promise.all([
    ...Array.from({ length: 5 }, () => scene.claim(payer, hash)),
    ...Array.from({ length: 5 }, () => claimBet(payer, hash)),
  ])
  expect(new Set(replies.map(({ status }) => status)).size).toBe(2)
  await scene.settle()
  const { plan, wallet, bet } = await scene.held(payer)
  expect([plan, wallet, bet].toSorted()).toEqual(['0', '0', '100'])
})

test("another user's hash buys nothing, before or after it is credited", async () => {
  const [payer, thief] = [await scene.aPayer(), await scene.aPayer()]
  const hash = await scene.node.pay(payer.key, u('100'))
  const early = await scene.claim(thief, hash)
  expect(early.body).toMatchObject({ status: 'pending', confirmations: 0 })
  await scene.node.mine(1)
  expect(await scene.claim(thief, hash)).toMatchObject({
    body: { Msg: 'The transaction was not paid from your wallet' },
  })
  expect((await scene.claim(payer, hash)).status).toBe(200)
  await scene.settle()
  expect(await scene.claim(thief, hash)).toMatchObject({
    body: { Msg: 'The transaction was not paid from your wallet' },
  })
  expect(await scene.held(payer)).toEqual({ ...NOTHING, plan: '100' })
  expect(await scene.held(thief)).toEqual(NOTHING)
})

test('a payment dropped by a reorg credits nothing, and is credited once when it is mined again', async () => {
  const payer = await scene.aPayer()
  const hash = await scene.node.pay(payer.key, u('100'))
  await scene.node.mine(1)
  const raw = await scene.node.rpc('eth_getRawTransactionByHash', [hash])
  expect((await scene.claim(payer, hash)).body).toMatchObject({ status: 'pending', confirmations: 1 })
  await scene.node.reorg(1)
  await scene.settle()
  expect(await scene.held(payer)).toEqual(NOTHING)
  expect((await scene.claim(payer, hash)).body).toMatchObject({ status: 'pending', confirmations: 0 })
  await scene.node.rpc('eth_sendRawTransaction', [raw])
  await scene.settle()
  expect((await scene.claim(payer, hash)).body).toMatchObject({ status: 'success' })
  expect(await scene.held(payer)).toEqual({ ...NOTHING, plan: '100' })
})

test('an upline is paid only once the payment is final, and not for one that a reorg dropped', async () => {
  const sponsor = await scene.aPayer()
  await scene.claim(sponsor, await scene.node.pay(sponsor.key, u('100')))
  await scene.settle()
  const payer = await scene.aPayer('1000', { referralCode: sponsor.referralCode })
  // The pool is empty, so what is earned is deferred.
  const earned = async () => (await scene.api.call(balance.details, {}, sponsor.token)).data.deferred.referral
  const askForUpline = () =>
    scene.api.send('POST', '/gameupline_referral/', { purchase_amount: '100' }, { token: payer.token })
  const dropped = await scene.node.pay(payer.key, u('100'))
  await scene.node.mine(1)
  await scene.claim(payer, dropped)
  expect((await askForUpline()).body.code).toBe('unknown_order')
  await scene.node.reorg(1)
  await scene.settle()
  expect((await askForUpline()).body.code).toBe('unknown_order')
  expect(await earned()).toBe(0n)
  const hash = await scene.node.pay(payer.key, u('100'))
  await scene.node.mine(1)
  await scene.claim(payer, hash)
  expect(await earned()).toBe(0n)
  await scene.settle()
  await askForUpline()
  expect(await earned()).toBe(u('5'))
})

test('with two payments in one transaction, the claimed one buys a plan and the other goes to the wallet balance', async () => {
  const payer = await scene.aPayer()
  // For one call, the wallet address holds contract code that sends the same payment twice.
  const token = scene.node.usdt.slice(2)
  const once = `5f5f365f5f73${token}5af150`
  await scene.node.setCode(payer.wallet.address, `0x365f5f37${once}${once}00`)
  const hash = await scene.node.sendCall(
    scene.node.richKey,
    payer.wallet.address,
    transferData(scene.node.vault, 100n * WEI),
  )
  await scene.node.mine(1)
  await scene.node.setCode(payer.wallet.address, '0x')
  expect((await scene.claim(payer, hash)).body).toMatchObject({ status: 'pending' })
  await scene.settle()
  await scene.expireGrace()
  expect(await scene.held(payer)).toEqual({ ...NOTHING, plan: '100', wallet: '100' })
})

test('a payment above the cap goes to the wallet balance, and the claim says why', async () => {
  const payer = await scene.aPayer('6000')
  await scene.claim(payer, await scene.node.pay(payer.key, u('4950')), '4950', { package_type: 4 })
  await scene.settle()
  const hash = await scene.node.pay(payer.key, u('100'))
  await scene.claim(payer, hash)
  await scene.settle()
  expect(await scene.claim(payer, hash)).toMatchObject({
    status: 400,
    body: { Msg: 'Maximum investment You can 50 USDT. The money is in your wallet balance.' },
  })
  expect(await scene.held(payer)).toEqual({ plan: '4950', wallet: '100', bet: '0' })
})

test('a payment that is never claimed goes to the wallet balance and can buy a plan from there', async () => {
  const payer = await scene.aPayer()
  const hash = await scene.node.pay(payer.key, u('100'))
  await scene.settle()
  await scene.expireGrace()
  expect(await scene.held(payer)).toEqual({ ...NOTHING, wallet: '100' })
  expect(await scene.claim(payer, hash)).toMatchObject({
    status: 409,
    body: { Msg: 'This payment is already in your wallet balance: pay from there' },
  })
  expect((await scene.claim(payer, 'internalwallet1')).body).toMatchObject({ status: 'success' })
  expect(await scene.held(payer)).toEqual({ ...NOTHING, plan: '100' })
})

test('while the chain node is down a purchase is saved, and it completes when the node is back', async () => {
  const payer = await scene.aPayer()
  const hash = await scene.node.pay(payer.key, u('100'))
  const { chain } = scene.api.context
  const awake = chain.client
  const broken = new Proxy(awake, { get: () => () => Promise.reject(new Error('connection refused')) })
  chain.client = broken
  const reply = await scene.claim(payer, hash)
  chain.client = awake
  expect(reply.body).toMatchObject({
    status: 'pending',
    Msg: 'The chain node is not responding. Your purchase is saved and will complete automatically.',
  })
  await scene.settle()
  expect(await scene.held(payer)).toEqual({ ...NOTHING, plan: '100' })
})

test('after all of this the audit finds nothing', async () => {
  expect(await scene.listFindings()).toEqual([])
})
