import { collectDefaultMetrics, Histogram, register } from 'prom-client'

collectDefaultMetrics()

const requestSeconds = new Histogram({
  name: 'wellplay_http_request_seconds',
  help: 'Time to answer a request',
  labelNames: ['route', 'method', 'status'] as const,
  buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
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

export const metricsText = (): Promise<string> => register.metrics()
export const metricsType = register.contentType
