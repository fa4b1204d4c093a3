import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import type { Route } from '../../src/protocol/route.ts'

export type Outcome = 'done' | 'refused' | 'unknown'
export type Answer = { outcome: Outcome; status: number; code: string; body: Record<string, unknown> }
/** `key` is the Idempotency-Key. All attempts of a call use the same one. */
export type Call = { path: string; body: object; token?: string; key?: string }

const DECIDED_MS_MAX = 240_000
const PAUSE_MS = 250
const ANSWER_MS_MAX = 15_000

type Options = {
  /** Gets every reply, also those that are not definite. */
  onAnswer?: (path: string, answer: Answer) => void
  /** Gets the error of every attempt without a reply. */
  onError?: (path: string, error: unknown) => void
  /** A frozen process may perform a call after its repeat was refused. So a refusal counts only without a repeat. */
  mayBeLate?: boolean
}

/** A client that alternates between API processes and retries with the same key until it gets a definite reply. */
export function createClient(ports: number[], options: Options = {}) {
  const { onAnswer = () => {}, onError = () => {}, mayBeLate = false } = options
  let turn = 0

  async function send({ path, body, token, key }: Call, signal: AbortSignal): Promise<Answer> {
    const port = ports[turn++ % ports.length]
    const reply = await fetch(`http://127.0.0.1:${port}/api${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...(token && { token }), ...(key && { 'idempotency-key': key }) },
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS_MAX)]),
    })
    const text = await reply.text()
    // A load balancer without a server replies with a page.
    const fields = reply.headers.get('content-type')?.includes('json') ? JSON.parse(text) : {}
    const code = String(fields['code'] ?? '')
    const answer: Answer = { outcome: reply.ok ? 'done' : 'refused', status: reply.status, code, body: fields }
    onAnswer(path, answer)
    return answer
  }

  /**
   * `loseAfterMs` drops the first reply or times out before it. A refusal after a lost reply is still a refusal: if the
   * first attempt had succeeded, the same key would get its stored reply. Only the halt is checked before the key.
   */
  async function ask(call: Call, loseAfterMs?: number): Promise<Answer> {
    let wasLost = false
    const deadline = performance.now() + DECIDED_MS_MAX
    for (let attempt = 1; performance.now() < deadline; attempt++) {
      const isLost = attempt === 1 && loseAfterMs !== undefined
      try {
        const answer = await send(call, isLost ? AbortSignal.timeout(Math.max(1, loseAfterMs)) : NEVER)
        const isDecided = answer.status < 500 || answer.code === 'halted'
        const isDoubtful = wasLost && answer.outcome === 'refused' && (mayBeLate || answer.code === 'halted')
        if (isDecided && !isLost) return isDoubtful ? { ...answer, outcome: 'unknown' } : answer
      } catch (error) {
        // No reply: the call may or may not have taken effect.
        if (!isLost) onError(call.path, error)
      }
      wasLost = true
      if (!isLost) await sleep(PAUSE_MS)
    }
    return { outcome: 'unknown', status: 0, code: '', body: {} }
  }

  /** A typed call, used to register users. */
  async function call<R extends Route>(route: R, input: z.input<R['input']>, token?: string) {
    const answer = await ask({ path: route.path, body: input as object, ...(token && { token }) })
    if (answer.outcome !== 'done') throw new Error(`${route.path}: ${answer.status} ${answer.code}`)
    return route.output.parse(answer.body) as z.output<R['output']>
  }

  return { ask, call }
}

const NEVER = new AbortController().signal
export type Client = ReturnType<typeof createClient>
