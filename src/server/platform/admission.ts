import type { FastifyRequest } from 'fastify'
import type { Http } from './http.ts'
import { busy, watchQueue } from './waiting.ts'

/** A call that would take longer because of those before it is refused when it arrives. */
const WAIT_MS_MAX = 250
/** This many calls may always run at once, however slow the machine is. */
const ALWAYS = 128
/** Until the rate is known. */
const AT_FIRST = 256
/** Reads are refused at half the bound, so that calls that move money find room. */
const SHARE_OF_READS = 0.5
/** With fewer calls in flight, the callers set the rate and not the process. So nothing is learned from such a window. */
const BUSY = ALWAYS / 8
const WINDOW_MS = 100
/** How much one window changes the rate. */
const WEIGHT = 0.3

type Running = { sinceMs: number }

/**
 * Bounds the calls in flight by time (R28). By Little's law a call takes as long as the calls in flight divided by the
 * rate at which calls end. Unlike the queues of batches this includes the wait for the processor.
 */
export function createAdmission(now: () => number = () => performance.now()) {
  const running = new Set<Running>()
  let ratePerMs: number | undefined
  let window = { sinceMs: now(), ended: 0, isBusy: false }

  const max = () => (ratePerMs === undefined ? AT_FIRST : Math.max(ALWAYS, ratePerMs * WAIT_MS_MAX))

  function measure(): void {
    window.ended++
    if (running.size < BUSY) window.isBusy = false
    const tookMs = now() - window.sinceMs
    if (tookMs < WINDOW_MS) return
    const rate = window.ended / tookMs
    if (window.isBusy) ratePerMs = ratePerMs === undefined ? rate : ratePerMs + WEIGHT * (rate - ratePerMs)
    window = { sinceMs: now(), ended: 0, isBusy: running.size >= BUSY }
  }

  return {
    /** Undefined if the call must be refused. */
    begin(isRead: boolean): Running | undefined {
      if (running.size >= max() * (isRead ? SHARE_OF_READS : 1)) return undefined
      const call = { sinceMs: now() }
      running.add(call)
      return call
    },
    /** Between the two, the call waits for its caller and not for us. */
    pause: (call: Running) => void running.delete(call),
    resume: (call: Running) => void running.add(call),
    end(call: Running): void {
      if (running.delete(call)) measure()
    },
    size: () => running.size,
    waitedMs: () => now() - ([...running][0]?.sinceMs ?? now()),
  }
}

/**
 * Refuses calls beyond the bound in the first hook that decides anything: nothing has been read or looked up. Requests for
 * which `isCounted` is false are not bounded here. Returns a function that stops counting a request.
 *
 * A call counts only while we work for it. Otherwise a few callers who never send the body that they announced, or never
 * read their reply, could use up the bound.
 */
export function mountAdmission(
  http: Http,
  isCounted: (request: FastifyRequest) => boolean = () => true,
): (request: FastifyRequest) => void {
  const admission = createAdmission()
  const countRefused = watchQueue('calls', admission)
  const calls = new WeakMap<FastifyRequest, Running>()
  const withCall = (request: FastifyRequest, work: (call: Running) => void): void => {
    const call = calls.get(request)
    if (call) work(call)
  }
  http.addHook('onRequest', (request, reply, done) => {
    const { isUnbounded, isRead = true } = request.routeOptions.config
    if (isUnbounded || !isCounted(request)) return done()
    const call = admission.begin(isRead)
    if (!call) {
      countRefused()
      return done(busy())
    }
    calls.set(request, call)
    // If the caller is gone, the request may never be answered.
    reply.raw.once('close', () => withCall(request, admission.end))
    done()
  })
  http.addHook('preParsing', (request, _reply, _payload, done) => {
    withCall(request, admission.pause)
    done()
  })
  http.addHook('preValidation', (request, reply, done) => {
    if (!reply.raw.destroyed) withCall(request, admission.resume)
    done()
  })
  http.addHook('onSend', (request, _reply, _payload, done) => {
    withCall(request, admission.end)
    done()
  })
  return (request) => {
    withCall(request, admission.pause)
    calls.delete(request)
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Never refused because of other calls: health checks, and event streams, which have limits of their own. */
    isUnbounded?: boolean
  }
}
