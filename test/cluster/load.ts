import { setTimeout as sleep } from 'node:timers/promises'
import { operate } from '../faults/operations.ts'
import type { Scene } from '../faults/scene.ts'
import { createRandom, plan } from '../faults/schedule.ts'

const CALLERS = 6
/** Between two calls of one caller. */
const REST_MS = 150

/** Callers that transfer, bet, buy, deposit and withdraw, one call after the other. The seed decides which calls. */
export function startLoad(scene: Scene, seed: number) {
  let isEnding = false
  async function keepCalling(_: unknown, caller: number): Promise<void> {
    const random = createRandom(seed + caller)
    while (!isEnding) {
      await operate(scene, plan(random))
      await sleep(REST_MS)
    }
  }
  const callers = Promise.all(Array.from({ length: CALLERS }, keepCalling))
  return {
    async stop(): Promise<void> {
      isEnding = true
      await callers
    },
  }
}
