import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseUsdt, WEI_PER_MICRO } from '../../../protocol/money.ts'
import { transaction } from '../../platform/db.ts'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'
import { type PaymentChain, startPaymentChain } from '../../testing/chain.ts'
import { workOnce } from '../../testing/payments.ts'
import { findFlags, listFlags } from './flags.ts'
import { lookUpFunding } from './funding.ts'

let api: TestApi
let node: PaymentChain
beforeAll(async () => {
  node = await startPaymentChain()
  // The rich account is this network's faucet, so its payments must not count as funding.
  api = await createTestApi({ settings: { ...node.settings, FAUCET_KEY: node.richKey } })
})
afterAll(async () => {
  await api.close()
  await node.stop()
})

test('a sponsor who funds a team member on chain is found; the faucet and our payouts do not count', async () => {
  const sponsor = await aUser(api)
  const friend = await aUser(api, { referralCode: sponsor.referralCode })
  const stranger = await aUser(api)
  const ten = parseUsdt('10')
  for (const { wallet } of [sponsor, stranger]) await node.give(wallet.address, ten)
  await workOnce(api, node)
  await node.sendToken(sponsor.wallet.privateKey, friend.wallet.address, ten * WEI_PER_MICRO)
  await node.mine()
  for (const { wallet } of [friend, stranger]) await node.pay(wallet.privateKey, ten)
  await workOnce(api, node, { blocks: 4 })

  await lookUpFunding(api.context)
  const { rows } = await sql`select user_number, from_address from funding_sources`.execute(api.context.db)
  expect(rows).toEqual([{ user_number: friend.number, from_address: sponsor.wallet.address }])
  await transaction(api.context.db, findFlags)
  expect(await listFlags(api.context.db, { all: false, limit: 10 })).toMatchObject([
    { kind: 'funding', key: sponsor.wallet.address, members: `${sponsor.username}, ${friend.username}` },
  ])
})
