import { setTimeout as sleep } from 'node:timers/promises'
import { operatorClaimant, walletClaimant } from '../chain/deposits/book.ts'
import { watchChain } from '../chain/deposits/watch.ts'
import { type Context, createContext } from '../context.ts'
import { colourLoops } from '../features/colour/runner.ts'
import { sweepUplines } from '../features/colour/uplines.ts'
import { betClaimant } from '../features/colour/wallet.ts'
import { planJobs } from '../features/plans/jobs.ts'
import { planClaimant } from '../features/plans/purchases.ts'
import { closeAbandonedGames } from '../features/quiz/handlers.ts'
import { foldTeamDeltas } from '../features/referrals/totals.ts'
import { rewardJobs } from '../features/rewards/jobs.ts'
import { takeDueSnapshot } from '../features/trust/snapshot.ts'
import { measureTrust } from '../features/trust/summary.ts'
import { sweepSignIns } from '../features/users/sessions.ts'
import { walletOwners } from '../features/users/users.ts'
import { payWithdrawals } from '../features/withdrawals/payouts.ts'
import { settleWithdrawal } from '../features/withdrawals/withdrawals.ts'
import { auditAndHalt } from '../ledger/audit.ts'
import { allInvariants } from '../operators/invariants.ts'
import type { Config } from '../platform/config.ts'
import { transaction } from '../platform/db.ts'
import { createSchedule, type Job, MINUTE_MS } from '../platform/jobs.ts'
import { type Loop, startLoops } from '../platform/loops.ts'

const STOP_MS_MAX = 9_000

/** Background work: scheduled jobs, and loops that follow the chain and the ledger. */
export async function startWorker(config: Config) {
  const { context, close } = createContext(config, 'worker')
  const schedule = createSchedule(config.databaseUrl)
  const chain = chainLoops(context)
  const jobs = scheduledJobs(context, chain.caughtUp).map(schedule.loopOf)
  const loops = startLoops([...chain.loops, ...workerLoops(context), ...jobs], context.log)
  async function finish(): Promise<void> {
    await loops.stop()
    await schedule.close()
    await close()
  }
  return {
    /** Abandons work that does not end in time: every step is a transaction, and the next worker continues (R28). */
    stop: () => Promise.race([finish(), sleep(STOP_MS_MAX, undefined, { ref: false })]),
  }
}

const scheduledJobs = (context: Context, caughtUp: Promise<void>): Job[] => [
  { name: 'audit', everyMs: MINUTE_MS, run: () => auditBooks(context, caughtUp) },
  { name: 'sweep-sign-ins', everyMs: 10 * MINUTE_MS, run: () => sweepSignIns(context.db) },
  { name: 'sweep-colour-uplines', everyMs: MINUTE_MS, run: () => sweepUplines(context.db) },
  { name: 'close-quiz-games', everyMs: 5 * MINUTE_MS, run: () => closeAbandonedGames(context) },
  { name: 'measure-trust', everyMs: 5 * MINUTE_MS, run: () => measureTrust(context) },
  // Checks every minute whether one is due, so a day gets its snapshot even if no worker ran at midnight.
  { name: 'liability-snapshot', everyMs: MINUTE_MS, run: () => takeDueSnapshot(context) },
  ...planJobs(context),
  ...rewardJobs(context),
]

/** A chain transaction that is not mined after this time gets a higher fee. */
const PAYOUT_STUCK_SECONDS = 60

const workerLoops = (context: Context): Loop[] => [
  ...colourLoops(context),
  {
    name: 'fold-team-deltas',
    restMs: 1_000,
    async run() {
      while (await transaction(context.db, foldTeamDeltas));
    },
  },
]

/** `caughtUp` resolves when all payments that became final while no worker was running are booked. */
function chainLoops({ db, chain, log, clock }: Context): { loops: Loop[]; caughtUp: Promise<void> } {
  const firstPass = Promise.withResolvers<void>()
  const claimants = [planClaimant(clock), betClaimant, walletClaimant, operatorClaimant]
  async function watch(): Promise<void> {
    while (await watchChain({ db, chain, log, owners: walletOwners, claimants, settle: settleWithdrawal }));
    firstPass.resolve()
  }
  const pay = () => payWithdrawals({ db, chain, log, stuckSeconds: PAYOUT_STUCK_SECONDS })
  const loops = [
    { name: 'watch-chain', restMs: 500, run: watch },
    { name: 'pay-withdrawals', restMs: 500, run: pay },
  ]
  return { loops, caughtUp: firstPass.promise }
}

/** A node that does not respond must not block the audit. */
const CATCH_UP_MS_MAX = 30_000

/** After a restart the watcher goes first: the audit would report payments that are not read yet as missing money. */
async function auditBooks({ db, chain, log }: Context, caughtUp: Promise<void>): Promise<void> {
  await Promise.race([caughtUp, sleep(CATCH_UP_MS_MAX, undefined, { ref: false })])
  const { passed, invariants: checked } = await auditAndHalt(db, allInvariants(chain))
  if (!passed)
    log.error({ broken: checked.filter(({ findings }) => findings.length > 0) }, 'the audit found broken invariants')
}
