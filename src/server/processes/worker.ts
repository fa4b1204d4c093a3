import { operatorClaimant, walletClaimant } from '../chain/deposits/book.ts'
import { sweepDeposits } from '../chain/deposits/sweep.ts'
import { watchChain } from '../chain/deposits/watch.ts'
import { keyPlacesLoop } from '../chain/key-places.ts'
import { followCalls } from '../chain/publisher-send.ts'
import { type Context, createContext } from '../context.ts'
import { colourLoops } from '../features/colour/runner.ts'
import { sweepUplines } from '../features/colour/uplines.ts'
import { betClaimant } from '../features/colour/wallet.ts'
import { newsLoops } from '../features/news/loops.ts'
import { planJobs } from '../features/plans/jobs.ts'
import { planClaimant } from '../features/plans/purchases.ts'
import { closeAbandonedGames } from '../features/quiz/handlers.ts'
import { foldTeamDeltas } from '../features/referrals/totals.ts'
import { rewardJobs } from '../features/rewards/jobs.ts'
import { anchorDue } from '../features/trust/anchors.ts'
import { publishDueRoot, ROOT_JOB } from '../features/trust/publish.ts'
import { measureTrust } from '../features/trust/summary.ts'
import { walletOwners } from '../features/users/users.ts'
import { walletChangeJob } from '../features/users/wallet-changes-due.ts'
import { streakJob } from '../features/wellness/streak-news.ts'
import { payWithdrawals } from '../features/withdrawals/payouts.ts'
import { settleWithdrawal } from '../features/withdrawals/settle.ts'
import { retentionLoop } from '../operators/retention.ts'
import { systemClock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import { transaction } from '../platform/db.ts'
import { startMonitoring } from '../platform/health.ts'
import { createSchedule, type Job, MINUTE_MS } from '../platform/jobs.ts'
import { type Loop, startLoops } from '../platform/loops.ts'
import { startTracing } from '../platform/tracing.ts'
import { type Audits, createAudits } from './audits.ts'
import { readinessChecks } from './readiness.ts'

/** Background work: scheduled jobs, and loops that follow the chain and the ledger. */
export async function startWorker(config: Config) {
  const tracing = await startTracing(config.collectorUrl, 'worker')
  const { context, close } = createContext(config, 'worker', systemClock, { publishes: true })
  let isStopping = false
  const checks = readinessChecks(context.db, () => isStopping)
  const monitoring = await startMonitoring(context.log, { address: config.metrics, checks })
  const schedule = createSchedule(config.listenUrl)
  const chain = chainLoops(context)
  const jobs = scheduledJobs(context, chain.audits).map(schedule.loopOf)
  const loops = startLoops([...chain.loops, ...workerLoops(context), ...jobs], context.log)
  return {
    /** Finishes the running step of every loop. */
    async stop(): Promise<void> {
      isStopping = true
      await loops.stop()
      await schedule.close()
      await monitoring?.close()
      await close()
      await tracing.stop()
    },
  }
}

const scheduledJobs = (context: Context, { run, isReady }: Audits): Job[] => [
  { name: 'audit', everyMs: MINUTE_MS, isReady, run: async () => void (await run()) },
  { name: 'sweep-colour-uplines', everyMs: MINUTE_MS, run: () => sweepUplines(context.db) },
  { name: 'close-quiz-games', everyMs: 5 * MINUTE_MS, run: () => closeAbandonedGames(context) },
  { name: 'measure-trust', everyMs: 5 * MINUTE_MS, run: () => measureTrust(context) },
  // Checks every minute whether one is due, so a root is at most a minute late after a time without a worker.
  { name: ROOT_JOB, everyMs: MINUTE_MS, run: () => publishDueRoot(context) },
  ...planJobs(context),
  ...rewardJobs(context),
  streakJob(context),
  walletChangeJob(context),
]

/** A chain transaction that is not mined after this time gets a higher fee. */
const STUCK_SECONDS = 60

const workerLoops = (context: Context): Loop[] => [
  keyPlacesLoop(context.db, context.chain),
  ...colourLoops(context),
  retentionLoop(context.db),
  ...newsLoops(context),
  {
    name: 'fold-team-deltas',
    restMs: 1_000,
    async run() {
      while (await transaction(context.db, foldTeamDeltas));
    },
  },
]

/** The watcher, the payer, and the audits that both the payer and the schedule run. */
function chainLoops(context: Context): { loops: Loop[]; audits: Audits } {
  const { db, chain, log, clock } = context
  const audits = createAudits(context)
  const claimants = [planClaimant(clock), betClaimant, walletClaimant, operatorClaimant]
  async function watch(): Promise<void> {
    while (await watchChain({ db, chain, log, owners: walletOwners, claimants, settle: settleWithdrawal }));
    audits.setCaughtUp()
  }
  const payer = { db, chain, log, passesAudit: audits.passes, stuckSeconds: STUCK_SECONDS }
  const pay = () => payWithdrawals(payer)
  async function publish(): Promise<void> {
    await anchorDue(context)
    await followCalls({ db, chain, log, stuckSeconds: STUCK_SECONDS })
  }
  const sweep = () => sweepDeposits({ db, chain, log, owners: walletOwners, minimum: context.config.depositMin })
  const loops = [
    { name: 'sweep-deposits', restMs: 2_000, run: sweep },
    { name: 'watch-chain', restMs: 500, run: watch },
    { name: 'pay-withdrawals', restMs: 500, run: pay },
    { name: 'vault-calls', restMs: 1_000, run: publish },
  ]
  return { loops, audits }
}
