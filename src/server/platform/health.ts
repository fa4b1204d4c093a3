import { createHttp, type Http } from './http.ts'
import type { Log } from './log.ts'
import { metricsText, metricsType } from './metrics.ts'

/** A named check. It throws an error with the reason if its part is not ready. */
export type ReadinessCheck = { name: string; check(): Promise<void> }

/** `/healthz`: the process is running. `/readyz`: everything it needs is working (R21). The public port gives no reason. */
export function mountHealth(http: Http, checks: ReadinessCheck[]): void {
  http.get('/healthz', async () => ({ status: 'ok' }))
  http.get('/readyz', async (_request, reply) => {
    const { ready } = await runChecks(checks)
    return reply.status(ready ? 200 : 503).send({ status: statusOf(ready) })
  })
}

/** More figures for `/metrics`, in the format of Prometheus. */
type Figures = { metrics(): Promise<string> }

/** Serves what only operators may read, on its own port: `/metrics` for Prometheus, and `/readyz` with reasons. */
export async function startMonitoring(
  log: Log,
  { port, host }: { port: number; host: string },
  checks: ReadinessCheck[],
  figures?: Figures,
): Promise<Http> {
  const http = await createHttp(log, { secure: false })
  http.get('/metrics', async (_request, reply) => {
    // Without the database, the figures of the process are still there.
    const more = await figures?.metrics().catch(() => '')
    return reply.type(metricsType).send(`${await metricsText()}\n${more ?? ''}`)
  })
  http.get('/readyz', async (_request, reply) => {
    const { ready, results } = await runChecks(checks)
    return reply.status(ready ? 200 : 503).send({ status: statusOf(ready), checks: results })
  })
  await http.listen({ port, host })
  return http
}

const statusOf = (ready: boolean) => (ready ? 'ready' : 'not ready')

async function runChecks(checks: ReadinessCheck[]) {
  const results = await Promise.all(checks.map(runCheck))
  return { ready: results.every(({ ok }) => ok), results }
}

async function runCheck({ name, check }: ReadinessCheck): Promise<{ name: string; ok: boolean; reason?: string }> {
  try {
    await check()
    return { name, ok: true }
  } catch (error) {
    return { name, ok: false, reason: (error as Error).message.split('\n')[0] ?? 'failed' }
  }
}
