import { setTimeout as sleep } from 'node:timers/promises'
import { isUnavailable } from '../../src/server/platform/unavailable.ts'
import type { Scene } from '../faults/scene.ts'
import { audit, compare, listKeptDeposits, settle } from '../faults/verdict.ts'
import { startLoad } from './load.ts'
import { type Log, type Result, withScene } from './scene.ts'
import { createSchedule, nameOf } from './schedule.ts'
import { strike } from './strike.ts'

type Options = { kills: number; seed: number; log: Log }

/** Kills, freezes and cuts parts of the cluster while callers move money, then compares their replies with the ledger. */
export function runKills({ kills, seed, log }: Options): Promise<Result & { acknowledged: number }> {
  return withScene(log, async (cluster, scene, replies) => {
    const load = startLoad(scene, seed)
    replies.begin()
    for (const fault of createSchedule(seed, kills)) {
      const began = performance.now()
      await strike(cluster, scene, fault)
      log(`${fault.number}. ${nameOf(fault.blow)}: ${seconds(performance.now() - began)} s`)
    }
    await load.stop()
    const gap = seconds(replies.longestGapMs())
    await settle(scene)
    const findings = await patiently(async () => [...(await audit(scene)), ...(await listHalts(scene))])
    const kept = await listKeptDeposits(scene)
    const { acked, lost, doubled, created } = await patiently(() => compare(scene, kept))
    const { internalErrors } = replies
    const line = [
      `kills=${kills} acknowledged=${acked} recorded=${acked - lost.length}`,
      `lost=${lost.length} doubled=${doubled.length} created=${created.length} 500s=${internalErrors.length}`,
      `longest-gap=${gap}s audit=${findings.length === 0 ? 'whole' : 'broken'} seed=${seed}`,
    ].join(' ')
    return { acknowledged: acked, wrong: [...lost, ...doubled, ...created, ...internalErrors, ...findings], line }
  })
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1)

/** A busy machine may fail over once more while we look. */
async function patiently<Found>(look: () => Promise<Found>): Promise<Found> {
  for (;;)
    try {
      return await look()
    } catch (error) {
      if (!isUnavailable(error)) throw error
      await sleep(1_000)
    }
}

/** The audit halts the product if it finds something broken, and would pause payouts if it became too old. */
async function listHalts({ owner }: Scene): Promise<string[]> {
  const { rows } = await owner.query<{ why: string }>(`select why from audit_log where what like '%payouts and bets%'`)
  return rows.map(({ why }) => `payouts and bets were halted: ${why}`)
}
