import { afterAll, describe, expect, test } from 'vitest'
import { parseUsdt, WEI_PER_MICRO } from '../../../protocol/money.ts'
import type { Hash } from '../../chain/tables.ts'
import { callData, NOTHING, type Payer, startPurchaseScene, transferData } from '../../testing/purchases.ts'

const u = parseUsdt
const WEI = 10n ** 18n

const scene = await startPurchaseScene()
afterAll(() => scene.stop())

describe('a crafted transaction credits no plan, and the reply says why', () => {
  type Crafted = {
    name: string
    send: (payer: Payer, other: Payer) => Promise<Hash>
    says: string
    /** Credited to the sender anyway, because the USDT did reach us. */
    wallet?: string
  }
  const pay = (wei: bigint) => (payer: Payer) => scene.node.sendToken(payer.key, scene.node.vault, wei)
  const crafted: Crafted[] = [
    {
      name: 'another token',
      send: async (payer) => {
        await scene.node.give(payer.wallet.address, u('100'), scene.node.otherToken)
        return scene.node.sendToken(payer.key, scene.node.vault, 100n * WEI, { token: scene.node.otherToken })
      },
      says: 'The transaction does not move USDT on this network',
    },
    {
      name: 'another receiver',
      send: (payer, other) => scene.node.sendToken(payer.key, other.wallet.address, 100n * WEI),
      says: 'The transaction does not pay our address',
    },
    {
      name: 'the sender as receiver',
      send: (payer) => scene.node.sendToken(payer.key, payer.wallet.address, 100n * WEI),
      says: 'The transaction does not pay our address',
    },
    {
      name: 'the token contract as receiver',
      send: (payer) => scene.node.sendToken(payer.key, scene.node.usdt, 100n * WEI),
      says: 'The transaction does not pay our address',
    },
    {
      name: 'another sender',
      send: (_payer, other) => scene.node.pay(other.key, u('100')),
      says: 'The transaction was not paid from your wallet',
    },
    {
      name: 'one micro-USDT too much',
      send: pay(100_000_001n * WEI_PER_MICRO),
      says: 'The transaction pays 100.000001 USDT, not 100',
      wallet: '100.000001',
    },
    {
      name: 'one micro-USDT too little',
      send: pay(99_999_999n * WEI_PER_MICRO),
      says: 'The transaction pays 99.999999 USDT, not 100',
      wallet: '99.999999',
    },
    {
      name: 'one wei too much',
      send: pay(100n * WEI + 1n),
      says: 'The transaction pays 100.000000000000000001 USDT, not 100',
      wallet: '100',
    },
    {
      name: 'one wei too little',
      send: pay(100n * WEI - 1n),
      says: 'The transaction pays 99.999999999999999999 USDT, not 100',
      wallet: '99.999999',
    },
    { name: 'a hundred wei', send: pay(100n), says: 'The transaction pays 0.0000000000000001 USDT, not 100' },
    { name: 'twice the amount', send: pay(200n * WEI), says: 'The transaction pays 200 USDT, not 100', wallet: '200' },
    {
      name: 'a tenth of the amount',
      send: pay(10n * WEI),
      says: 'The transaction pays 10 USDT, not 100',
      wallet: '10',
    },
    { name: 'an amount of zero', send: pay(0n), says: 'The transaction pays 0 USDT, not 100' },
    {
      name: 'more than the sender has, so the transaction reverts',
      send: (payer) => scene.node.sendToken(payer.key, scene.node.vault, 5_000n * WEI),
      says: 'The transaction failed on chain: no money was moved',
    },
    {
      name: 'an unknown token method, so the transaction reverts',
      send: (payer) =>
        scene.node.sendCall(payer.key, scene.node.usdt, callData('ffffffff', scene.node.vault, 100n * WEI)),
      says: 'The transaction failed on chain: no money was moved',
    },
    {
      name: 'an approval',
      send: (payer) =>
        scene.node.sendCall(payer.key, scene.node.usdt, callData('095ea7b3', scene.node.vault, 100n * WEI)),
      says: 'The transaction does not move USDT on this network',
    },
    {
      name: 'the native coin, which the vault refuses',
      send: (payer) => scene.node.sendCall(payer.key, scene.node.vault, '0x', WEI),
      says: 'The transaction failed on chain: no money was moved',
    },
    {
      name: 'transfer calldata sent to a wallet',
      send: (payer, other) =>
        scene.node.sendCall(payer.key, other.wallet.address, transferData(scene.node.vault, 100n * WEI)),
      says: 'The transaction does not move USDT on this network',
    },
  ]

  test.each(crafted)('$name', async ({ send, says, wallet = '0' }) => {
    const [payer, other] = [await scene.aPayer(), await scene.aPayer()]
    const hash = await send(payer, other)
    await scene.node.mine(1)
    const reply = await scene.claim(payer, hash)
    expect(reply).toMatchObject({ status: 400, body: { code: 'payment_refused', Msg: says } })
    await scene.settle()
    await scene.expireGrace()
    expect(await scene.held(payer)).toEqual({ ...NOTHING, wallet })
    expect((await scene.held(other)).plan).toBe('0')
  })

  const claims: { name: string; changes: object; status: number; field: string }[] = [
    { name: 'a tier that does not fit the amount', changes: { package_type: 1 }, status: 400, field: 'usdt_amount' },
    { name: 'a higher tier', changes: { package_type: 3 }, status: 400, field: 'usdt_amount' },
    { name: 'a re top up', changes: { package_type: 5 }, status: 400, field: 'trans_hash' },
    { name: 'a fee', changes: { package_type: 7 }, status: 400, field: 'trans_hash' },
    { name: 'a package type that does not exist', changes: { package_type: 9 }, status: 400, field: 'package_type' },
    { name: 'a purchase with a gross amount', changes: { gross_amount: '111' }, status: 400, field: 'gross_amount' },
    {
      name: 'a payment from another wallet',
      changes: { from_address: `0x${'9'.repeat(40)}` },
      status: 400,
      field: 'from_address',
    },
    {
      name: 'a payment to another receiver',
      changes: { to_address: `0x${'9'.repeat(40)}` },
      status: 400,
      field: 'to_address',
    },
    { name: 'a purchase with a truncated hash', changes: { trans_hash: '0xabc' }, status: 400, field: 'trans_hash' },
    {
      name: 'a purchase from an empty wallet balance',
      changes: { trans_hash: 'internal1' },
      status: 400,
      field: 'usdt_amount',
    },
  ]
  test.each(claims)(
    'a real payment claimed as $name is refused and goes to the wallet balance',
    async ({ changes, status, field }) => {
      const payer = await scene.aPayer()
      const hash = await scene.node.pay(payer.key, u('100'))
      await scene.node.mine(1)
      expect(await scene.claim(payer, hash, '100', changes)).toMatchObject({ status, body: { field } })
      await scene.settle()
      await scene.expireGrace()
      expect(await scene.held(payer)).toEqual({ ...NOTHING, wallet: '100' })
    },
  )
})

test('after all of this the audit finds nothing', async () => {
  expect(await scene.listFindings()).toEqual([])
})
