import { afterAll, beforeAll, expect, test } from 'vitest'
import { trust } from '../../../protocol/trust.ts'
import { findRootBlock } from '../../../verifier/root-block.ts'
import { type EthRequest, readVaultState } from '../../../verifier/vault-state.ts'
import { followCalls } from '../../chain/publisher-send.ts'
import { createTestApi, type TestApi } from '../../testing/api.ts'
import { type PaymentChain, startPaymentChain } from '../../testing/chain.ts'
import { aDepositor } from '../../testing/payments.ts'
import { publishRoot } from './publish.ts'

let node: PaymentChain
let api: TestApi
beforeAll(async () => {
  node = await startPaymentChain()
  api = await createTestApi({ settings: node.settings })
  await aDepositor(api, node, '100')
})
afterAll(async () => {
  await api.close()
  await node.stop()
})

test('the block of the last root is found by its transaction, and no other transaction passes for it', async () => {
  const follow = () => followCalls({ ...api.context, stuckSeconds: 60 })
  expect((await api.call(trust.summary, {})).data.root_transactions).toEqual([])
  await publishRoot(api.context)
  await follow()
  await node.mine(3)
  await follow()

  const { root_transactions: named } = (await api.call(trust.summary, {})).data
  const { vault } = node.chain.settings
  const request: EthRequest = ({ method, params }) => node.rpc(method, params as unknown[])
  const state = await readVaultState(request, vault)
  const found = await findRootBlock(request, vault, state, named)
  const { transactions, timestamp } = await node.chain.client.getBlock({ blockNumber: found?.block ?? 0n })
  expect(timestamp).toBe(state.publishedAt)
  expect(named).toEqual([found?.txHash])

  // The hash of the tree was recorded in the same block.
  const others = transactions.filter((hash) => hash !== found?.txHash)
  expect(others).toHaveLength(1)
  const unknown = `0x${'1'.repeat(64)}`
  expect(await findRootBlock(request, vault, state, [...others, unknown])).toBeUndefined()
  for (const changed of [{ epoch: state.epoch + 1n }, { root: '0'.repeat(64) }])
    expect(await findRootBlock(request, vault, { ...state, ...changed }, named)).toBeUndefined()
})
