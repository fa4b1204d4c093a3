import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../src/server/embedded/postgres.ts'
import { type Spawned, spawnProcess } from '../../src/server/testing/processes.ts'
import type { Balancer, StartBalancer } from './balancer.ts'

const CALLERS = 8
const STREAMS = 4
/** Between two calls of one caller. */
const REST_MS = 5
const READY_MS_MAX = 60_000
/** A drain of a second is five checks of the balancer. */
const DRAIN_SECONDS = '1'
/** The balancer uses a new process some checks after it is ready. Until then the other one must stay. */
const PAUSE_MS = 1_000

export type Options = {
  restarts: number
  /** The settings of the API, without a port. */
  settings: Record<string, string>
  startBalancer: StartBalancer
  log: (line: string) => void
}
export type Result = { requests: number; failed: string[]; hints: number; line: string }

/** Restarts two API processes one after the other, while callers and event streams use them through a balancer. */
export async function runRestarts({ restarts, settings, startBalancer, log }: Options): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'wellplay-rolling-'))
  const ports = [await freePort(), await freePort()]
  const start = (port: number) => spawnProcess('api', { ...settings, DRAIN_SECONDS, PORT: String(port) })
  const servers = ports.map((port) => ({ port, running: start(port) }))
  const balancer = await startBalancer(ports, folder)
  try {
    for (const { port, running } of servers) await becomesReady(port, running)
    await becomesReady(balancer.port)
    const load = startLoad(balancer)
    for (let restart = 1; restart <= restarts; restart++) {
      const server = servers[restart % servers.length]
      if (!server) throw new Error('no server')
      const stopMs = await server.running.stopMs()
      server.running = start(server.port)
      await becomesReady(server.port, server.running)
      await sleep(PAUSE_MS)
      log(`restart ${restart}: stopped in ${Math.round(stopMs)} ms`)
    }
    const { requests, failed, hints } = await load.stop()
    const line = `restarts=${restarts} requests=${requests} failed=${failed.length} streams ended with a hint=${hints}`
    return { requests, failed, hints, line }
  } finally {
    await balancer.stop()
    for (const { running } of servers) running.child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

async function becomesReady(port: number, running?: Spawned): Promise<void> {
  const deadline = performance.now() + READY_MS_MAX
  while (!(await isReady(port))) {
    if (performance.now() > deadline) throw new Error(`Not ready: ${running?.output() ?? 'the balancer'}`)
    await sleep(50)
  }
}

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )

/** Callers that repeat one call each, and pages that open their event stream again as it tells them to. */
function startLoad({ port }: Balancer) {
  const ending = new AbortController()
  const failed: string[] = []
  let [requests, hints] = [0, 0]

  async function keepCalling(): Promise<void> {
    while (!ending.signal.aborted) {
      const reply = await fetch(`http://127.0.0.1:${port}/api/trust/halt/`).catch((error: Error) => error)
      const outcome = reply instanceof Error ? `${reply.message}: ${reply.cause}` : reply.status
      requests++
      if (outcome !== 200) failed.push(`call: ${outcome}`)
      if (!(reply instanceof Error)) await reply.arrayBuffer().catch((error: Error) => failed.push(`call: ${error}`))
      await sleep(REST_MS)
    }
  }

  async function keepListening(): Promise<void> {
    while (!ending.signal.aborted) {
      const text = await readStream(port, ending.signal)
      const [, waitMs] = /: the server restarts\nretry: (\d+)\n\n$/.exec(text) ?? []
      if (ending.signal.aborted) return
      if (waitMs === undefined) failed.push(`stream: ended without a hint: ${text.slice(-80)}`)
      else hints++
      await sleep(Number(waitMs ?? 0))
    }
  }

  const loops = [...Array.from({ length: CALLERS }, keepCalling), ...Array.from({ length: STREAMS }, keepListening)]
  return {
    async stop() {
      ending.abort()
      await Promise.all(loops)
      return { requests, failed, hints }
    },
  }
}

/** Everything that one stream sent until it ended. */
async function readStream(port: number, signal: AbortSignal): Promise<string> {
  let text = ''
  try {
    const reply = await fetch(`http://127.0.0.1:${port}/api/events/`, { signal })
    if (!reply.ok) return `status ${reply.status}`
    for await (const part of reply.body?.pipeThrough(new TextDecoderStream()) ?? []) text += part
    return text
  } catch (error) {
    return `${text}${error}`
  }
}
