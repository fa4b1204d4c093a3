import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for a condition. Errors, such as during a database restart, count as false. */
export async function untilTrue(condition: () => Promise<boolean>, timeoutMs = 180_000): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (!(await condition().catch(() => false))) {
    if (performance.now() > deadline) throw new Error(`Timed out waiting for: ${condition}`)
    await sleep(200)
  }
}
