import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { encodeFunctionData, erc20Abi, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Address } from '../../../protocol/ids.ts'
import { add, micro, parseUsdt, type Usdt, WEI_PER_MICRO, ZERO } from '../../../protocol/money.ts'
import { runAudit } from '../../ledger/audit.ts'
import { getUserBalances } from '../../ledger/balances.ts'
import { allInvariants } from '../../operators/invariants.ts'
import { createTestApi, type TestApi, testSettings } from '../../testing/api.ts'
import { type PaymentChain, startPaymentChain } from '../../testing/chain.ts'
import { aDepositUser, sweepOnce } from '../../testing/deposits.ts'
import { numberFromOutside } from '../../testing/numbers.ts'
import { findReceipt } from '../receipts.ts'
import type { Hash } from '../tables.ts'

/** The full run: PAYMENTS=1000 npm test. */
const PAYMENTS = numberFromOutside('PAYMENTS', 40)
const PER_ROUND = 10
const USERS = Math.min(50, Math.ceil(PAYMENTS / 4))
const STRANGERS = 8
const WORKER = join(import.meta.dirname, '../../testing/deposit-worker.ts')

type DepositUser = Awaited<ReturnType<typeof aDepositUser>>
type Payment = { user: DepositUser; amount: Usdt; hash: Hash; raw: Hash }

let api: TestApi
let node: PaymentChain
const users: DepositUser[] = []
const strangers = Array.from({ length: STRANGERS }, () => ({ key: generatePrivateKey(), nonce: 0 }))

beforeAll(async () => {
  node = await startPaymentChain()
  api = await createTestApi({ settings: node.settings })
  await sweepOnce(api.context)
  while (users.length < USERS) users.push(await aDepositUser(api))
  for (const { key } of strangers) {
    const address = privateKeyToAccount(key).address.toLowerCase() as Address
    await node.setBalance(address, parseEther('100'))
    await node.give(address, parseUsdt('100000'))
  }
})
afterAll(async () => {
  await api.close()
  await node.stop()
})

function startWorker() {
  const settings = JSON.stringify({ ...testSettings(api.database.appUrl), ...node.settings })
  const child = fork(WORKER, [settings], { stdio: 'ignore' })
  const [ready, died] = [once(child, 'message'), once(child, 'exit')]
  return {
    run: async () => {
      await ready
      child.send('go')
    },
    kill: async () => {
      child.kill('SIGKILL')
      await died
    },
  }
}

/** A stranger's wallet pays the deposit address of a user. The signed bytes are kept, to send them again after a reorg. */
async function pay(at: number): Promise<Payment> {
  const [stranger, user] = [strangers[at % STRANGERS], users[at % USERS]]
  if (!stranger || !user) throw new Error('there is no payer or no user')
  const amount = micro(BigInt(1_000_000 + at * 7))
  const args = [user.address, amount * WEI_PER_MICRO] as const
  const raw = await privateKeyToAccount(stranger.key).signTransaction({
    chainId: 31337,
    type: 'eip1559',
    to: node.usdt,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }),
    gas: 200_000n,
    nonce: stranger.nonce++,
    maxFeePerGas: 10n ** 11n,
    maxPriorityFeePerGas: 10n ** 9n,
  })
  return { user, amount, raw, hash: await broadcast(raw) }
}

const broadcast = (raw: Hash) => api.context.chain.client.sendRawTransaction({ serializedTransaction: raw })

/** A reorg has dropped some payments. A real node would keep them in its mempool. */
async function sendLost(payments: Payment[]): Promise<number> {
  let lost = 0
  for (const { hash, raw } of payments) {
    if (await findReceipt(api.context.chain, hash)) continue
    lost++
    await broadcast(raw).catch(() => undefined)
  }
  return lost
}

const creditedTo = async ({ number }: DepositUser) => (await getUserBalances(api.context.db, number)).wallet
const sumOf = (payments: Payment[]) => add(ZERO, ...payments.map(({ amount }) => amount))

test(`${PAYMENTS} payments from strangers' wallets are credited to the right user once, through reorgs and kills`, async () => {
  const payments: Payment[] = []
  let [kills, reorgs, lost] = [0, 0, 0]
  let workers = [startWorker(), startWorker()]
  for (const worker of workers) await worker.run()
  for (let round = 0; payments.length < PAYMENTS; round++) {
    const batch: Payment[] = []
    while (batch.length < PER_ROUND && payments.length + batch.length < PAYMENTS)
      batch.push(await pay(payments.length + batch.length))
    payments.push(...batch)
    await node.mine()
    await sleep(20 * (round % 7))
    // The newest block is not final: it has payments of this round, or the workers' sweeps.
    if (round % 2 === 0) {
      await node.reorg(1)
      reorgs++
    }
    lost += await sendLost(batch)
    await node.mine(round % 3)
    if (round % 3 !== 2) continue
    const [first, second] = workers
    await first?.kill()
    kills++
    const next = startWorker()
    await next.run()
    workers = second ? [second, next] : [next]
  }
  for (const worker of workers) await worker.kill()
  kills += workers.length

  const wanted = sumOf(payments)
  const credited = async () => add(ZERO, ...(await Promise.all(users.map(creditedTo))))
  while ((await credited()) < wanted) {
    await sendLost(payments.slice(-2 * PER_ROUND))
    await sweepOnce(api.context)
    await node.mine()
  }
  console.log(`payments=${PAYMENTS} users=${USERS} kills=${kills} reorgs=${reorgs} payments lost in them=${lost}`)
  for (const user of users) {
    expect(await creditedTo(user)).toBe(sumOf(payments.filter((payment) => payment.user === user)))
    expect(await node.balanceOf(user.address)).toBe(0n)
  }
  expect(await node.balanceOf(node.vault)).toBe(wanted * WEI_PER_MICRO)
  const { invariants } = await runAudit(api.context.db, allInvariants(api.context.chain))
  expect(invariants.filter(({ outcome }) => outcome !== 'held')).toEqual([])
}, 1_800_000)
