import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../src/server/embedded/postgres.ts'
import { spawnProcess } from '../../src/server/testing/processes.ts'
import { untilTrue } from '../faults/until.ts'
import { startBalancer } from './balancer.ts'

const CALLERS = 8
const STREAMS = 4
/** Between two calls of one caller. */
const REST_MS = 5
const READY_MS_MAX = 240_000
/** The longest drain there is: long enough for many checks of the balancer, also on a busy machine. */
const DRAIN_SECONDS = '4'
/** How long both processes run under load between two restarts. */
const PAUSE_MS = 1_000

export type Options = {
  restarts: number
  /** The settings of the API, without a port. */
  settings: Record<string, string>
  log: (line: string) => void
}
export type Result = { requests: number; failed: string[]; hints: number; line: string }

/** Restarts two API processes one after the other, while callers and event streams use them through a balancer. */
export async function runRestarts({ restarts, settings, log }: Options): Promise<Result> {
  const ports = [await freePort(), await freePort()]
  const start = (port: number) => spawnProcess('api', { ...settings, DRAIN_SECONDS, PORT: String(port) })
  const servers = ports.map((port) => ({ port, running: start(port) }))
  const balancer = await startBalancer(ports)
  try {
    // Until the balancer uses a new process, the other one must stay.
    const becomesUsed = ({ port, running }: (typeof servers)[number]) =>
      untilTrue(async () => balancer.uses(port), READY_MS_MAX).catch(() => {
        throw new Error(`Not ready: ${running.output()}`)
      })
    for (const server of servers) await becomesUsed(server)
    async function restart(number: number): Promise<void> {
      const server = servers[number % servers.length]
      if (!server) throw new Error('no server')
      await server.running.stop()
      server.running = start(server.port)
      await becomesUsed(server)
    }
    return await restartUnderLoad({ restarts, port: balancer.port, restart, log })
  } finally {
    await balancer.stop()
    for (const { running } of servers) running.child.kill('SIGKILL')
  }
}

type UnderLoad = {
  restarts: number
  /** Of the balancer. */
  port: number
  restart: (number: number) => Promise<void>
  log: (line: string) => void
}

export async function restartUnderLoad({ restarts, port, restart, log }: UnderLoad): Promise<Result> {
  const load = startLoad(port)
  for (let number = 1; number <= restarts; number++) {
    const began = performance.now()
    await restart(number)
    log(`restart ${number}: ready again after ${((performance.now() - began) / 1000).toFixed(1)} s`)
    await sleep(PAUSE_MS)
  }
  const { requests, failed, hints } = await load.stop()
  const line = `restarts=${restarts} requests=${requests} failed=${failed.length} streams ended with a hint=${hints}`
  return { requests, failed, hints, line }
}

/** Callers that repeat one call each, and pages that open their event stream again as it tells them to. */
function startLoad(port: number) {
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
