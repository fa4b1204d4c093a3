import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { walletClaimant } from '../chain/deposits/book.ts'
import { watchChain } from '../chain/deposits/watch.ts'
import { createContext } from '../context.ts'
import { walletOwners } from '../features/users/users.ts'
import { payWithdrawals } from '../features/withdrawals/payouts.ts'
import { settleWithdrawal } from '../features/withdrawals/settle.ts'
import { readConfig } from '../platform/config.ts'
import { payoutAuditor } from './payments.ts'

/**
 * The worker's two chain loops in a separate process, for tests that kill it. Its arguments are the settings as JSON,
 * and the step at which it sends itself SIGKILL, so that it cannot flush, close or roll back anything.
 */
const [settings = '{}', deadlyStep = ''] = process.argv.slice(2)
const { context } = createContext(readConfig(JSON.parse(settings)), 'payout-worker')
const { db, chain, log } = context

function onStep(step: string): void {
  if (step === deadlyStep) process.kill(process.pid, 'SIGKILL')
}

async function settle(...payment: Parameters<typeof settleWithdrawal>) {
  onStep('settling')
  const key = await settleWithdrawal(...payment)
  onStep('settled')
  return key
}

// Everything is loaded. The test decides when to begin, so that startup time does not count.
flushCompileCache()
process.send?.('ready')
await once(process, 'message')
for (;;) {
  try {
    await payWithdrawals({ db, chain, log, stuckSeconds: 3, onStep, ...payoutAuditor(db, chain) })
    while (await watchChain({ db, chain, log, owners: walletOwners, claimants: [walletClaimant], settle }));
  } catch (error) {
    log.error({ err: error }, 'a pass failed')
  }
  await sleep(50)
}
