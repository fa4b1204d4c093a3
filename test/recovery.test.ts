import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Address } from '../src/protocol/ids.ts'
import { parseUsdt, type Usdt, WEI_PER_MICRO } from '../src/protocol/money.ts'
import { withdrawals } from '../src/protocol/withdrawals.ts'
import { contractOf, revertOf } from '../src/server/chain/vault.ts'
import { backUp } from '../src/server/embedded/backup.ts'
import { startPostgres } from '../src/server/embedded/postgres.ts'
import { vaultIdOf } from '../src/server/features/withdrawals/verify.ts'
import { auditAndHalt } from '../src/server/ledger/audit.ts'
import { getSystemBalances } from '../src/server/ledger/balances.ts'
import { allInvariants } from '../src/server/operators/invariants.ts'
import { runOps } from '../src/server/operators/ops.ts'
import { migrate } from '../src/server/platform/migrate.ts'
import { createTestApi, type TestApi, testConfig } from '../src/server/testing/api.ts'
import { type PaymentChain, startPaymentChain } from '../src/server/testing/chain.ts'
import { createAppLogin } from '../src/server/testing/database.ts'
import { resumePayouts, runTestOps, runTestOpsTogether } from '../src/server/testing/ops.ts'
import { aDepositor, signedWithdrawal, type TestUser, withdraw, workOnce } from '../src/server/testing/payments.ts'

/** The drill: a database that is restored to a time before some payouts finds its way back with the chain's help. */
const dataDir = mkdtempSync(join(tmpdir(), 'wellplay-test-'))
const backups = join(dataDir, 'backups')
let chain: PaymentChain
let postgres: Awaited<ReturnType<typeof startPostgres>>
let api: TestApi

beforeAll(async () => {
  // PostgreSQL does not run as root and must be able to enter this folder.
  chmodSync(dataDir, 0o755)
  chain = await startPaymentChain()
  postgres = await startPostgres({ dataDir: join(dataDir, 'postgres') })
  await migrate(postgres.ownerUrl)
  api = await open()
})
afterAll(async () => {
  await api.close()
  await postgres.stop()
  await chain.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const open = async () => {
  const { ownerUrl, urls } = postgres
  const appUrl = await createAppLogin(ownerUrl)
  return createTestApi({ settings: chain.settings, database: { ownerUrl, appUrl, urls, drop: async () => {} } })
}
async function work(passes: number): Promise<void> {
  for (let pass = 0; pass < passes; pass++) await workOnce(api, chain)
}
const ops = (...words: string[]) => runTestOps(api, [...words, '--as', 'anna', '--why', 'part of the drill'])

async function adopt(...words: string[]): Promise<void> {
  const { code, text } = await runTestOpsTogether(api, ['adopt', ...words, '--why', 'part of the drill'])
  expect(code, text).toBe(0)
}

/** How often each amount was paid to a user on chain, read from the chain itself. */
async function countPaid(user: TestUser, amounts: string[]): Promise<number[]> {
  const logs = await chain.chain.client.getLogs({ address: chain.usdt, fromBlock: 0n })
  const paid = logs.filter(({ topics }) =>
    [chain.vault, user.wallet.address].every((own, at) => topics[at + 1]?.endsWith(own.slice(2))),
  )
  // The fee is 5%.
  const wei = (amount: string) => (parseUsdt(amount) * 95n * WEI_PER_MICRO) / 100n
  return amounts.map((amount) => paid.filter(({ data }) => BigInt(data) === wei(amount)).length)
}

async function restoreTo(time: string): Promise<void> {
  await api.close()
  // A stop archives the last WAL, so that the restore could also replay the payouts. It must not.
  await postgres.stop()
  const said: string[] = []
  const surroundings = { settings: () => testConfig(''), write: (text: string) => said.push(text), dataDir }
  expect(await runOps(['restore', backups, '--to', time], surroundings)).toBe(0)
  expect(said.join()).toContain('npm run ops -- treasury')
  postgres = await startPostgres({ dataDir: join(dataDir, 'postgres') })
  api = await open()
}

const AMOUNTS = ['11', '12', '13', '14', '15', '17']

type Paid = Parameters<typeof vaultIdOf>[1] & { to_address: Address; net: Usdt }

/** What a worker that believes the restored books would get: the vault refuses to pay any of them again. */
async function expectIdsUsed(): Promise<void> {
  const { db, chain: own } = api.context
  const { rows } = await sql<Paid>`select * from withdrawals`.execute(db)
  expect(rows).toHaveLength(5)
  for (const row of rows) {
    const args = [vaultIdOf(own, row), row.to_address, row.net] as const
    const call = own.client.simulateContract({ ...contractOf(own), functionName: 'pay', args, account: chain.hot })
    expect(await call.then(() => 'paid', revertOf)).toBe('IdUsed')
  }
}

test('payouts that a restore lost are settled by their ids; replaying all requests pays none twice', async () => {
  await work(1)
  const user = await aDepositor(api, chain, '500')
  const funding = await chain.sendToken(chain.richKey, chain.vault, parseUsdt('100') * WEI_PER_MICRO)
  await work(4)
  await ops('deposits', 'claim', funding, '100')
  await withdraw(api, user, '11')
  await work(6)
  // Signed and sent before the backup, mined after it.
  await withdraw(api, user, '12')
  await workOnce(api, chain, { blocks: 0 })
  // Requested before the backup, signed after it.
  for (const amount of ['13', '14']) await withdraw(api, user, amount)
  await backUp(postgres.ownerUrl, backups)
  const time = new Date().toISOString()
  await sleep(20)
  // Requested after it: the restored database has never heard of these two.
  const [unknown, repeated] = [await signedWithdrawal(user, '15'), await signedWithdrawal(user, '17')]
  for (const body of [unknown, repeated]) await api.call(withdrawals.request, body, user.token)
  await work(6)
  expect(await countPaid(user, AMOUNTS)).toEqual([1, 1, 1, 1, 1, 1])

  await restoreTo(time)
  // Operators who resume too early pay nothing twice, nor does a user who sends a paid request again.
  expect((await resumePayouts(api)).code).toBe(0)
  await api.call(withdrawals.request, repeated, user.token)
  await work(8)
  expect(await countPaid(user, AMOUNTS)).toEqual([1, 1, 1, 1, 1, 1])
  // Only the request that is in no row needs operators.
  const { text } = await runTestOps(api, ['treasury'])
  const unbooked = [...text.matchAll(/(0x[0-9a-f]{64}) .* ([0-9a-f-]{36}|–)$/gm)]
  expect(unbooked.map(([, , withdrawal]) => withdrawal)).toEqual(['–'])
  // A worker that believes the restored books would be refused by the vault itself.
  await expectIdsUsed()
  await adopt(unbooked[0]?.[1] ?? '')
  expect((await getSystemBalances(api.context.db)).operator).toBe(parseUsdt('100') - parseUsdt('14.25'))

  await work(4)
  const report = await auditAndHalt(api.context.db, allInvariants(api.context.chain))
  expect(report.invariants.filter(({ outcome }) => outcome !== 'held')).toEqual([])
  await withdraw(api, user, '16')
  await work(6)
  const counts = await countPaid(user, [...AMOUNTS, '16'])
  const [lost, doubled] = [counts.filter((count) => count < 1).length, counts.filter((count) => count > 1).length]
  console.log(`restored: payouts=${counts.length} lost=${lost} doubled=${doubled}`)
  expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 })
  const { rows } = await api.context.pool.query('select state, count(*)::int from withdrawals group by state')
  expect(rows).toEqual([{ state: 'paid', count: 6 }])
  expect((await api.context.pool.query('select * from halts')).rows).toEqual([])
})
