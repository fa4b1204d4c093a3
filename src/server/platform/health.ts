import { setTimeout as sleep } from 'node:timers/promises'
import { Gauge, Registry } from 'prom-client'
import { createHttp, type Http } from './http.ts'
import type { Log } from './log.ts'
import { metricsText, metricsType } from './metrics.ts'
import { StartError } from './start-error.ts'

/** A named check. It throws an error with the reason if its part is not ready. */
export type ReadinessCheck = { name: string; check(): Promise<void> }

/** A database that does not answer must not delay a reply until the caller, such as Prometheus, gives up. */
const ANSWER_MS_MAX = 3_000

/** A busy process must not look like a dead one. */
const ALWAYS = { config: { isUnbounded: true } }

/** `/healthz`: the process is running. `/readyz`: everything it needs is working (R21). Only operators get reasons. */
export function mountHealth(http: Http, checks: ReadinessCheck[], { withReasons = false } = {}): void {
  http.get('/healthz', ALWAYS, async () => ({ status: 'ok' }))
  http.get('/readyz', ALWAYS, async (_request, reply) => {
    const { isReady, results } = await runChecks(checks)
    const status = isReady ? 'ready' : 'not ready'
    return reply.status(isReady ? 200 : 503).send({ status, ...(withReasons && { checks: results }) })
  })
}

/** More figures for `/metrics`, in the format of Prometheus. */
type Figures = { metrics(): Promise<string> }

type Monitored = {
  /** Undefined if the settings name no port. */
  address: { port: number; host: string } | undefined
  checks: ReadinessCheck[]
  figures?: Figures
}

/** The private port of a process: `/metrics` for Prometheus, `/healthz`, and `/readyz` with reasons. */
export async function startMonitoring(log: Log, { address, checks, figures }: Monitored): Promise<Http | undefined> {
  if (!address) return undefined
  const http = await createHttp(log, { secure: false })
  mountHealth(http, checks, { withReasons: true })
  const readiness = readinessFigure(checks)
  http.get('/metrics', async (_request, reply) => {
    // Without the database, the figures of the process are still there.
    const more = inTime(figures?.metrics() ?? Promise.resolve('')).catch(() => '')
    const texts = await Promise.all([metricsText(), readiness.metrics(), more])
    return reply.type(metricsType).send(texts.join('\n'))
  })
  await http.listen(address).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    throw new StartError(`METRICS_PORT: port ${address.port} is in use. Each process needs its own.`)
  })
  return http
}

function readinessFigure(checks: ReadinessCheck[]): Figures {
  const registry = new Registry()
  new Gauge({
    name: 'wellplay_ready',
    help: '1 if this process can serve, else 0',
    registers: [registry],
    async collect() {
      this.set((await runChecks(checks)).isReady ? 1 : 0)
    },
  })
  return registry
}

async function runChecks(checks: ReadinessCheck[]) {
  const results = await Promise.all(checks.map(runCheck))
  return { isReady: results.every(({ ok }) => ok), results }
}

async function runCheck({ name, check }: ReadinessCheck): Promise<{ name: string; ok: boolean; reason?: string }> {
  try {
    await inTime(check())
    return { name, ok: true }
  } catch (error) {
    return { name, ok: false, reason: (error as Error).message.split('\n')[0] ?? 'failed' }
  }
}

function inTime<Result>(work: Promise<Result>): Promise<Result> {
  const late = sleep(ANSWER_MS_MAX, undefined, { ref: false }).then(() => {
    throw new Error(`no answer within ${ANSWER_MS_MAX / 1000} seconds`)
  })
  return Promise.race([work, late])
}
