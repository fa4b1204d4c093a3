import type { Http } from './http.ts'
import { metricsText, metricsType } from './metrics.ts'

/** A named check. It throws an error with the reason if its part is not ready. */
export type ReadinessCheck = { name: string; check(): Promise<void> }

/** `/healthz`: the process is running. `/readyz`: everything it needs is working (R21). `/metrics`: for Prometheus. */
export function mountHealth(http: Http, checks: ReadinessCheck[]): void {
  http.get('/healthz', async () => ({ status: 'ok' }))
  http.get('/metrics', async (_request, reply) => reply.type(metricsType).send(await metricsText()))
  http.get('/readyz', async (_request, reply) => {
    const results = await Promise.all(checks.map(runCheck))
    const ready = results.every(({ ok }) => ok)
    return reply.status(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', checks: results })
  })
}

async function runCheck({ name, check }: ReadinessCheck): Promise<{ name: string; ok: boolean; reason?: string }> {
  try {
    await check()
    return { name, ok: true }
  } catch (error) {
    return { name, ok: false, reason: (error as Error).message.split('\n')[0] ?? 'failed' }
  }
}
