import type { Pool } from 'pg'
import { collectDefaultMetrics, Gauge, Histogram, register } from 'prom-client'

collectDefaultMetrics()

const requestSeconds = new Histogram({
  name: 'wellplay_http_request_seconds',
  help: 'Time to answer a request',
  labelNames: ['route', 'method', 'status'] as const,
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
})

const observers = new Map<string, ReturnType<typeof requestSeconds.labels>>()

export function observeRequest(route: string, method: string, status: number, elapsedMs: number): void {
  const kind = `${Math.floor(status / 100)}xx`
  const key = `${method} ${route} ${kind}`
  // Cached, because looking up labels in the histogram costs more than the observation.
  const observer = observers.get(key) ?? requestSeconds.labels(route, method, kind)
  observers.set(key, observer)
  observer.observe(elapsedMs / 1000)
}

const pools = new Map<string, Pool>()

/** Adds the pool's connections to the metrics of this process. */
export function watchPool(name: string, pool: Pool): void {
  pools.set(name, pool)
}

new Gauge({
  name: 'wellplay_pool_connections',
  help: 'Database connections of this process, by pool and by what they do: busy or idle',
  labelNames: ['pool', 'state'],
  collect() {
    for (const [pool, { totalCount, idleCount }] of pools) {
      this.set({ pool, state: 'busy' }, totalCount - idleCount)
      this.set({ pool, state: 'idle' }, idleCount)
    }
  },
})

new Gauge({
  name: 'wellplay_pool_connections_max',
  help: 'How many database connections a pool may open',
  labelNames: ['pool'],
  collect() {
    for (const [pool, { options }] of pools) this.set({ pool }, options.max ?? 0)
  },
})

new Gauge({
  name: 'wellplay_pool_waiting',
  help: 'Queries that wait for a free connection of a pool',
  labelNames: ['pool'],
  collect() {
    for (const [pool, { waitingCount }] of pools) this.set({ pool }, waitingCount)
  },
})

export const metricsText = (): Promise<string> => register.metrics()
export const metricsType = register.contentType
