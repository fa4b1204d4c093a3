import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { balance } from '../../../protocol/balance.ts'
import { brand } from '../../../protocol/brand.ts'
import { trust } from '../../../protocol/trust.ts'
import { checkKeptFile } from '../../../verifier/kept-files.ts'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'
import { transfer } from '../../testing/payments.ts'
import { giveRewards, giveWallet, type TestUser } from '../../testing/plans.ts'
import { recordRoot } from '../../testing/roots.ts'

const KEY = `0x${'7'.repeat(64)}`
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
const check = (text: string) => checkKeptFile(text, brand.name, sha256)

let api: TestApi
let user: TestUser
let friend: TestUser
beforeAll(async () => {
  api = await createTestApi({ settings: { RECEIPT_KEY: KEY } })
  user = await aUser(api)
  friend = await aUser(api)
  await giveWallet(api, user.number, '100')
  await giveRewards(api, user.number, 'reward', '7.123456')
  await transfer(api, user, friend, '30.5')
  await recordRoot(api.context)
})
afterAll(() => api.close())

const receiptOf = async (account: 'wallet' | 'reward', number: number, token = user.token) => {
  const { data } = await api.call(trust.receipt, { account, number }, token)
  return JSON.stringify(z.encode(trust.receipt.output.shape.data, data), null, 2)
}
const proofOf = async (token: string) => {
  const { data } = await api.call(trust.proof, {}, token)
  return JSON.stringify(z.encode(trust.proof.output.shape.data, data), null, 2)
}

test('every movement of a statement has a matching receipt, signed by the published address', async () => {
  const { data: summary } = await api.call(trust.summary, {})
  for (const account of ['wallet', 'reward'] as const) {
    const { data: rows } = await api.call(balance.statement, { account }, user.token)
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) {
      const { data } = await api.call(trust.receipt, { account, number: row.number }, user.token)
      const { movement, reference, posted_at, wallet } = data.receipt
      expect({ movement, reference, posted_at, wallet }).toEqual({
        movement: row.kind,
        reference: row.reference,
        posted_at: row.posted_at.toISOString(),
        wallet: user.wallet.address,
      })
      const verdict = await check(await receiptOf(account, row.number))
      expect(verdict).toMatchObject({ isRight: true, problems: [], operator: summary.operator_address })
    }
  }
})

test('requesting a receipt twice returns the same bytes', async () => {
  expect(await receiptOf('wallet', 2)).toBe(await receiptOf('wallet', 2))
})

test("another user's movement, or one that does not exist, is not found", async () => {
  const ask = (token: string, account: string, number: number) =>
    api.send('POST', '/trust/receipt/', { account, number }, { token })
  expect((await ask(user.token, 'wallet', 2)).status).toBe(200)
  expect((await ask(friend.token, 'wallet', 2)).status).toBe(404)
  expect((await ask(friend.token, 'reward', 1)).status).toBe(404)
  expect((await ask(user.token, 'wallet', 3)).status).toBe(404)
})

/** Changes the first and the last digit of every line, one at a time. The check must reject each change. */
async function expectEveryDigitToMatter(text: string): Promise<void> {
  expect((await check(text)).isRight).toBe(true)
  const lines = [...text.matchAll(/^.*\d.*$/gm)]
  const digits = lines.flatMap(({ 0: line, index }) => [index + line.search(/\d/), index + line.search(/\d\D*$/)])
  expect(digits.length).toBeGreaterThan(15)
  for (const at of digits) {
    const forged = text.slice(0, at) + ((Number(text[at]) + 1) % 10) + text.slice(at + 1)
    const verdict = await check(forged).catch(() => undefined)
    expect(verdict?.isRight ?? false, `changed: ${forged.slice(at - 20, at + 5)}`).toBe(false)
  }
}

test('one changed digit anywhere in a receipt is caught', async () => {
  await expectEveryDigitToMatter(await receiptOf('wallet', 2))
})

test('one changed digit anywhere in a saved balance proof is caught', async () => {
  await expectEveryDigitToMatter(await proofOf(user.token))
})

test('a file with an unsigned extra field is rejected', async () => {
  const file = JSON.parse(await receiptOf('wallet', 2))
  file.receipt.bonus = '1000'
  await expect(check(JSON.stringify(file))).rejects.toThrow('exactly these fields')
})
