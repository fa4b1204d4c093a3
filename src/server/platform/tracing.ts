import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span, SpanOptions } from '@opentelemetry/api'
import type { LogEvent } from 'kysely'
import type { Http } from './http.ts'

/*
 * OpenTelemetry traces of requests, loops, queries and ledger batches, sent to a collector with OTLP over HTTP. Without
 * OTEL_EXPORTER_OTLP_ENDPOINT none of the packages is loaded, and the functions here only call the work. SQL is sent with
 * its placeholders, never with its values.
 */

/** A collector that does not answer loses its spans. It delays neither a call nor the end of the process (R28). */
const EXPORT_MS_MAX = 2_000
/** Of the OpenTelemetry API, which is not loaded without a collector. */
const [SERVER, ERROR] = [1, 2]

type Open = (name: string, options: SpanOptions) => Span
let open: Open | undefined
const active = new AsyncLocalStorage<Span>()

/** Call it before anything else is created. `stop` sends the last spans. */
export async function startTracing(endpoint: string | undefined, service: string): Promise<{ stop(): Promise<void> }> {
  if (!endpoint) return { stop: async () => {} }
  const [api, sdk, otlp, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`
  const exporter = new otlp.OTLPTraceExporter({ url, timeoutMillis: EXPORT_MS_MAX })
  const provider = new sdk.TracerProvider({
    resource: resources.resourceFromAttributes({ 'service.name': `wellplay-${service}` }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, exportTimeoutMillis: EXPORT_MS_MAX })],
  })
  const tracer = provider.getTracer('wellplay')
  open = (name, options) => {
    const parent = active.getStore()
    return tracer.startSpan(name, options, parent ? api.trace.setSpan(api.ROOT_CONTEXT, parent) : api.ROOT_CONTEXT)
  }
  return { stop: () => provider.shutdown().catch(() => {}) }
}

/** Runs `work` in a span. What it starts becomes part of it. */
export async function traced<Result>(
  name: string,
  attributes: Record<string, number>,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!open) return work()
  const span = open(name, { attributes })
  try {
    return await active.run(span, work)
  } catch (error) {
    span.setStatus({ code: ERROR, message: (error as Error).message })
    throw error
  } finally {
    span.end()
  }
}

/** One span for each request, with its id, so that it can be found in the log. */
export function traceRequests(http: Http): void {
  const start = open
  if (!start) return
  const spans = new WeakMap<object, Span>()
  http.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    const attributes = { 'http.request.method': request.method, 'http.route': route, 'wellplay.request_id': request.id }
    const span = start(`${request.method} ${route}`, { kind: SERVER, attributes })
    spans.set(request, span)
    active.run(span, done)
  })
  // Reading the body continues outside of the first hook's context.
  http.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request)
    if (span) active.run(span, done)
    else done()
  })
  http.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request)
    span?.setAttribute('http.response.status_code', reply.statusCode)
    if (reply.statusCode >= 500) span?.setStatus({ code: ERROR })
    span?.end()
    done()
  })
}

/** What Kysely calls after each query. Undefined without a collector, so that it does not measure them. */
export const queryTracer = () => (open ? traceQuery : undefined)

function traceQuery({ level, query, queryDurationMillis }: LogEvent): void {
  const [name = 'query'] = /\w+/.exec(query.sql) ?? []
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': query.sql }
  const endMs = Date.now()
  const span = open?.(name, { attributes, startTime: endMs - queryDurationMillis })
  if (level === 'error') span?.setStatus({ code: ERROR })
  span?.end(endMs)
}
