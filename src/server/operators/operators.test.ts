import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseUsdt } from '../../protocol/money.ts'
import { addressOfKey } from '../chain/operator-keys.ts'
import { recordAction } from '../ledger/audit-log.ts'
import { getSystemBalances } from '../ledger/balances.ts'
import { creditOperator } from '../ledger/funding.ts'
import { findHalt, requireRunning } from '../ledger/halt.ts'
import { newId, transaction } from '../platform/db.ts'
import { createTestApi, createTestWallet, type TestApi } from '../testing/api.ts'
import { resumePayouts, runOpsWithKey, runTestOps, testOperators, waitingId } from '../testing/ops.ts'
import { loadKey } from './keys.ts'

const { anna, ben } = testOperators
const folder = mkdtempSync(join(tmpdir(), 'wellplay-keys-'))
const why = ['--why', 'monthly plan']

let api: TestApi
beforeAll(async () => {
  api = await createTestApi()
  await transaction(api.context.db, (tx) => creditOperator(tx, { reference: newId(), amount: parseUsdt('100000') }))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await api.close()
})

const words = (line: string) => line.split(' ')
const ops = (line: string, ...more: string[]) => runTestOps(api, [...words(line), ...more])
const house = async () => (await getSystemBalances(api.context.db)).house

test('the first operator enrolls itself, then the second; later ones need two signatures', async () => {
  const fresh = await createTestApi()
  const run = (key: string, line: string) => runOpsWithKey(fresh, [...words(line), '--why', 'a new colleague'], key)
  const [a, b, c] = [testOperators.anna, testOperators.ben, testOperators.cleo]
  expect((await run(a, 'fund house 1')).text).toContain('There are no operators yet')
  expect((await run(b, `operators enroll anna ${addressOfKey(a)}`)).code).toBe(1)
  expect((await run(a, `operators enroll anna ${addressOfKey(a)}`)).text).toBe('anna is now an operator.')
  expect((await run(b, `operators enroll ben ${addressOfKey(b)}`)).code).toBe(1)
  expect((await run(a, `operators enroll ben ${addressOfKey(b)}`)).text).toBe('ben is now an operator.')
  const asked = await run(a, `operators enroll cleo ${addressOfKey(c)}`)
  expect(asked.text).toContain('Another operator must sign it')
  expect((await runOpsWithKey(fresh, ['approve', waitingId(asked.text)], c)).code).toBe(1)
  expect((await runOpsWithKey(fresh, ['approve', waitingId(asked.text)], b)).text).toBe('cleo is now an operator.')
  const { text } = await runOpsWithKey(fresh, ['operators'])
  for (const name of ['anna', 'ben', 'cleo']) expect(text).toContain(name)
  await fresh.close()
})

test('one key under two names is one operator', async () => {
  const asked = await ops('fund house 2000 --as anna', ...why)
  const id = waitingId(asked.text)
  const before = await house()
  expect((await runOpsWithKey(api, ['approve', id, '--as', 'ben'], anna)).text).toContain('belongs to anna, not to ben')
  expect((await runOpsWithKey(api, ['approve', id], anna)).text).toContain('another operator must sign it')
  const again = ['operators', 'enroll', 'alice', addressOfKey(anna), ...why]
  expect((await runOpsWithKey(api, again, ben)).text).toContain('anna is already an operator')
  expect(await house()).toBe(before)
  expect((await runOpsWithKey(api, ['approve', id], ben)).code).toBe(0)
  expect(await house()).toBe(before + parseUsdt('2000'))
})

test('a split amount counts as a whole: what one operator moved alone in 24 hours adds up', async () => {
  expect((await ops('fund house 600 --as ben', ...why)).text).toBe('Added 600 USDT to house.')
  expect((await ops('fund health_pool 400 --as ben', ...why)).text).toBe('Added 400 USDT to health_pool.')
  const asked = await ops('fund house 0.000001 --as ben', ...why)
  expect(asked.text).toContain('Another operator must sign it')
  expect((await ops(`approve ${waitingId(asked.text)} --as anna`)).code).toBe(0)
  const atOnce = await Promise.all(['601', '602', '603'].map((amount) => ops(`fund house ${amount} --as cleo`, ...why)))
  expect(atOnce.filter(({ text }) => text.startsWith('Added'))).toHaveLength(1)
})

test('a wallet elsewhere signs the printed data, and the signature works for no other act', async () => {
  const first = await runOpsWithKey(api, ['fund', 'house', '1500', ...why])
  const second = await runOpsWithKey(api, ['fund', 'house', '1600', ...why])
  const data = JSON.parse(/\{[\s\S]*\n\}/.exec(first.text)?.[0] ?? '')
  expect(data.message).toMatchObject({ act: 'fund', details: 'amount: 1500; pool: house', why: 'monthly plan' })
  const signature = await createTestWallet(anna).account.signTypedData(data)
  const [id, other] = [first, second].map(({ text }) => /ops -- sign (\S+)/.exec(text)?.[1] ?? '') as [string, string]
  const replayed = await runOpsWithKey(api, ['sign', other, '--signature', signature])
  expect(replayed).toMatchObject({ code: 1, text: expect.stringContaining('is for another act') })
  expect((await runOpsWithKey(api, ['sign', id, '--signature', signature])).text).toContain('Signed by anna')
  expect((await ops(`approve ${id} --as ben`)).text).toBe('Added 1500 USDT to house.')
})

test('a revoked key signs nothing, and its open signatures no longer count', async () => {
  const dora = `0x${'4'.repeat(64)}` as const
  const asked = await ops(`operators enroll dora ${addressOfKey(dora)} --as anna`, ...why)
  await ops(`approve ${waitingId(asked.text)} --as ben`)
  const open = await runOpsWithKey(api, ['fund', 'house', '3000', ...why], dora)
  const revoked = await ops('operators revoke dora --as anna', ...why)
  expect((await ops(`approve ${waitingId(revoked.text)} --as ben`)).text).toBe('The key of dora is revoked.')
  expect((await runOpsWithKey(api, ['fund', 'house', '1', ...why], dora)).text).toContain('The key of dora was revoked')
  expect((await ops(`approve ${waitingId(open.text)} --as anna`)).text).toContain('Another operator must sign it')
})

test('a key file is made for its owner only, and refused if others can read it', async () => {
  const path = join(folder, 'emil.key')
  const made = await runOpsWithKey(api, ['operators', 'new-key', path])
  expect(made.text).toContain(addressOfKey(loadKey(path)))
  expect((await runOpsWithKey(api, ['operators', 'new-key', path])).text).toContain('exists already')
  const fund = ['fund', 'house', '1', ...why, '--key-file', path]
  expect((await runOpsWithKey(api, fund)).text).toContain('not from an operator’s key')
  chmodSync(path, 0o640)
  expect((await runOpsWithKey(api, fund)).text).toContain(`Other users can read ${path}`)
})

test('halt does not wait for a transaction that has locked the audit log', async () => {
  const open = await api.context.db.startTransaction().execute()
  try {
    await recordAction(open, { who: 'test', what: 'keep the audit log locked', why: 'test setup' })
    const { code, text } = await ops('halt --as anna', '--why', 'something looks wrong')
    expect([code, text]).toEqual([0, expect.stringContaining('Payouts and bets are paused.')])
    expect(text).toContain('run the same command again later')
    await expect(requireRunning(api.context.db)).rejects.toMatchObject({ code: 'halted' })
  } finally {
    await open.rollback().execute()
  }
  expect((await ops('halt --as anna', '--why', 'something looks wrong')).text).toContain('in the audit log')
  await resumePayouts(api)
  expect(await findHalt(api.context.db)).toBeUndefined()
})

test('a halt without a key stops payouts, too', async () => {
  expect((await runOpsWithKey(api, ['halt', '--why', 'my key is at home'])).text).toContain('sign this elsewhere')
  expect(await findHalt(api.context.db)).toMatchObject({ source: 'operator', reason: 'my key is at home' })
  await resumePayouts(api)
})
