import { makeBackup, withRestored } from './drill.ts'
import type { Verdict } from './model.ts'
import { createSchedule } from './schedule.ts'
import { strike } from './strike.ts'
import { audit, compare, listKeptDeposits, settle } from './verdict.ts'
import { createWorld } from './world.ts'

export type Options = { seed: number; count: number; log: (line: string) => void }
export type Result = Verdict & { faults: number; line: string; isClean: boolean }

const AUDIT_EVERY = 50

/** Runs the faults of the seed, waits until the product has settled, and compares it with the replies clients got. */
export async function runFaults({ seed, count, log }: Options): Promise<Result> {
  log(`seed=${seed} count=${count}: the same seed repeats the same faults and calls in the same order`)
  const schedule = createSchedule(seed, count)
  const world = await createWorld()
  const broken: string[] = []
  let result: Result | undefined
  try {
    const began = performance.now()
    for (const fault of schedule) {
      const isMiddle = fault.number === Math.ceil(count / 2)
      await Promise.all([strike(world, fault), isMiddle && makeBackup(world)])
      if (fault.number % AUDIT_EVERY > 0 && fault.number < count) continue
      world.node.heal()
      await settle(world)
      const findings = await audit(world)
      broken.push(...findings.map((finding) => `after fault ${fault.number}: ${finding}`))
      const seconds = Math.round((performance.now() - began) / 1000)
      log(`${fault.number} faults, ${world.model.intents.length} calls, ${seconds} s, ${findings.length} findings`)
    }
    const kept = await listKeptDeposits(world)
    const verdict = await compare(world, kept)
    const drill = await withRestored(world, (owner) => world.model.compare(owner, kept))
    log(`restored from a backup: ${drill.acked - drill.lost.length} of ${drill.acked} acknowledged calls are present`)
    const restored = (names: string[]) => names.map((name) => `restored from a backup: ${name}`)
    const total: Verdict = {
      acked: verdict.acked,
      lost: [...verdict.lost, ...restored(drill.lost)],
      doubled: [...verdict.doubled, ...restored(drill.doubled)],
      created: [...verdict.created, ...restored(drill.created), ...broken],
    }
    result = report(total, schedule.length, seed, log)
    return result
  } finally {
    if (!result?.isClean) log(`process logs: ${world.folder}/logs`)
    await world.stop({ keepLogs: !result?.isClean })
  }
}

function report(verdict: Verdict, faults: number, seed: number, log: (line: string) => void): Result {
  const { acked, lost, doubled, created } = verdict
  for (const name of [...lost, ...doubled, ...created]) log(`  ${name}`)
  const counts = `lost=${lost.length} doubled=${doubled.length} created=${created.length}`
  const line = `faults=${faults} acked=${acked} ${counts} seed=${seed}`
  return { ...verdict, faults, line, isClean: lost.length + doubled.length + created.length === 0 }
}
