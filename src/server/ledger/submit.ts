import type { Pool } from 'pg'
import { retrying } from '../platform/db.ts'
import { queryOf } from './batch.ts'
import { type Answer, checkRules, type Posted, type Posting, type Row, settle } from './posting.ts'

export type Ledger = {
  /**
   * Posts in a transaction shared with whatever else is asked at the same time, and answers after its commit. `rows`
   * of other tables are written if, and only if, the posting is. Never await it inside a transaction of your own.
   */
  submit(posting: Posting, rows?: readonly Row[]): Promise<Posted>
}

type Request = {
  posting: Posting
  rows: readonly Row[]
  resolve(posted: Posted): void
  reject(error: unknown): void
}

const LANES = 2
const BATCH_MAX = 500
/** Fewer are not worth a second batch beside one under way: they go with the next. */
const BATCH_MIN = 64

/**
 * Group posting: what arrives while a batch is under way waits in memory and goes to the database as one call and one
 * commit, each with its own answer; a crowd uses both lanes. A call that finds nothing under way waits for nobody.
 */
export function createLedger(pool: Pool): Ledger {
  const waiting: Request[] = []
  let lanesFree = LANES

  function dispatch(): void {
    const isWorthwhile = () => waiting.length >= (lanesFree === LANES ? 1 : BATCH_MIN)
    while (lanesFree > 0 && isWorthwhile()) {
      const share = Math.ceil(waiting.length / lanesFree--)
      send(pool, takeBatch(waiting, Math.min(Math.max(share, BATCH_MIN), BATCH_MAX))).finally(() => {
        lanesFree++
        dispatch()
      })
    }
  }

  return {
    async submit(posting, rows = []) {
      checkRules(posting)
      return new Promise((resolve, reject) => {
        waiting.push({ posting, rows, resolve, reject })
        // After this turn of the event loop: calls that came in together go together.
        setImmediate(dispatch)
      })
    },
  }
}

// Two postings with one key never share a batch: the second must find the first.
function takeBatch(waiting: Request[], sizeMax: number): Request[] {
  const keys = new Set<string>()
  const batch: Request[] = []
  for (const request of waiting.splice(0)) {
    const key = `${request.posting.kind} ${request.posting.reference}`
    if (batch.length < sizeMax && !keys.has(key)) batch.push(request)
    else waiting.push(request)
    keys.add(key)
  }
  return batch
}

async function send(pool: Pool, batch: Request[]): Promise<void> {
  try {
    const { rows } = await retrying((attempt) => pool.query<Answer>(queryOf(batch, attempt > 1)))
    batch.forEach((request, at) => {
      answer(request, rows[at])
    })
  } catch (error) {
    // One that the database refuses must not fail its neighbours: each is asked again alone, under its own key.
    if (batch.length > 1) for (const request of batch) await send(pool, [request])
    else batch[0]?.reject(error)
  }
}

function answer({ posting, resolve, reject }: Request, told: Answer | undefined): void {
  try {
    const posted = settle(told)
    resolve(posted.repeated ? posted : { repeated: false, reply: posting.reply ?? null })
  } catch (error) {
    reject(error)
  }
}
