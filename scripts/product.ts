import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../src/server/embedded/postgres.ts'

const START_SECONDS_MAX = 240

/** The product to measure: at the given URL, or started with a temporary data folder. */
export async function productAt(given: string | undefined): Promise<{ url: string; stop: () => Promise<void> }> {
  if (given) return { url: given, stop: async () => {} }
  const [port, data] = [await freePort(), mkdtempSync(join(tmpdir(), 'wellplay-measured-'))]
  const url = `http://localhost:${port}`
  const env = { ...process.env, PORT: String(port), DATA_DIR: join(data, 'data'), RATE_LIMITS: 'off' }
  const cwd = join(import.meta.dirname, '..')
  const child = spawn(process.execPath, ['src/server/main.ts', 'up'], { cwd, env, stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  for (let second = 0; !(await isReady(url)); second++) {
    if (second > START_SECONDS_MAX || child.exitCode !== null) throw new Error('The product did not start')
    await sleep(1_000)
  }
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await ended
      rmSync(data, { recursive: true, force: true })
    },
  }
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
