import type { Pool } from 'pg'
import { Histogram } from 'prom-client'
import { retrying } from '../platform/db.ts'
import { traced } from '../platform/tracing.ts'
import { isUnavailable } from '../platform/unavailable.ts'
import { createWaiting, type Waiter } from '../platform/waiting.ts'
import { queryOf } from './batch.ts'
import { type Answer, checkRules, type Posted, type Posting, type Row, settle } from './posting.ts'

export type Ledger = {
  /**
   * Posts in a transaction shared with concurrent calls, and resolves after its commit. `rows` of other tables are
   * written if and only if the posting succeeds. Never await it inside your own transaction.
   */
  submit(posting: Posting, rows?: readonly Row[]): Promise<Posted>
  /** Whether so many postings wait that new ones are refused. Then other calls should give way. */
  isCrowded(): boolean
}

type Request = Waiter<{ posting: Posting; rows: readonly Row[] }, Posted>

const batchSize = new Histogram({
  name: 'wellplay_ledger_batch_size',
  help: 'Postings per batch',
  buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
})

const LANES = 2
const BATCH_MAX = 500
/** While one batch is running, fewer requests than this do not start a second one: they wait for the next. */
const BATCH_MIN = 64

/**
 * Group posting: requests that arrive while a batch is running wait in memory. They then go to the database in one call
 * and one commit, and each gets its own result. Many requests use both lanes. When no batch is running, a request is
 * sent immediately.
 */
export function createLedger(pool: Pool): Ledger {
  const waiting = createWaiting<Request['item'], Posted>('ledger', LANES * BATCH_MAX)
  let lanesFree = LANES

  function dispatch(): void {
    const isWorthwhile = () => waiting.size() >= (lanesFree === LANES ? 1 : BATCH_MIN)
    while (lanesFree > 0 && isWorthwhile()) {
      const share = Math.ceil(waiting.size() / lanesFree--)
      const batch = waiting.take(Math.min(Math.max(share, BATCH_MIN), BATCH_MAX), isFirstOfItsKey())
      waiting
        .run(() => send(pool, batch))
        .finally(() => {
          lanesFree++
          dispatch()
        })
    }
  }

  return {
    async submit(posting, rows = []) {
      checkRules(posting)
      const posted = waiting.add({ posting, rows })
      // Runs after this turn of the event loop, so that calls made together share a batch.
      setImmediate(dispatch)
      return posted
    },
    isCrowded: waiting.isCrowded,
  }
}

/** Two postings with the same key never share a batch: the second must see the first. */
function isFirstOfItsKey() {
  const keys = new Set<string>()
  return ({ posting: { kind, reference } }: Request['item']): boolean => {
    const { size } = keys
    return keys.add(`${kind} ${reference}`).size > size
  }
}

async function send(pool: Pool, batch: Request[]): Promise<void> {
  batchSize.observe(batch.length)
  const items = batch.map(({ item }) => item)
  try {
    const { rows } = await traced('ledger batch', { 'wellplay.postings': batch.length }, () =>
      retrying((attempt) => pool.query<Answer>(queryOf(items, attempt > 1))),
    )
    batch.forEach((request, at) => {
      answer(request, rows[at])
    })
  } catch (error) {
    // One refused posting must not fail the whole batch: retry each posting alone. Its key prevents a double posting.
    // Without a database each of them would only wait for the same failure.
    if (batch.length > 1 && !isUnavailable(error)) for (const request of batch) await send(pool, [request])
    else for (const { reject } of batch) reject(error)
  }
}

function answer({ item, resolve, reject }: Request, result: Answer | undefined): void {
  try {
    const posted = settle(result)
    resolve(posted.repeated ? posted : { repeated: false, reply: item.posting.reply ?? null })
  } catch (error) {
    reject(error)
  }
}
