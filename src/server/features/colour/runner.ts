import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { type Db, transaction } from '../../platform/db.ts'
import type { Loop } from '../../platform/loops.ts'
import { findDrawBlock } from './block.ts'
import { bindBlock, ensureChain, finishRound, inTime, openRound, publishRound, roundOpening } from './rounds.ts'
import type { RoundRow } from './tables.ts'

/** The worker's loops for the colour game. Several workers may run them: each step takes effect once. */
export function colourLoops(context: Context): Loop[] {
  if (!context.config.colourRealMoney)
    return [{ name: 'finish-colour-rounds', restMs: 500, run: () => finishDue(context) }]
  return [
    { name: 'open-colour-rounds', restMs: 200, run: createOpener(context) },
    { name: 'finish-colour-rounds', restMs: 300, run: () => finishDue(context) },
    { name: 'publish-colour-stakes', restMs: 1_000, run: createStakePublisher(context) },
  ]
}

const CHAIN_CHECK_MS = 3_600_000

/** Opens the rounds, and publishes the next seed chain when the current one is about to end. */
function createOpener({ db }: Context) {
  let checkedMs = Number.NEGATIVE_INFINITY
  return async (): Promise<void> => {
    if (performance.now() - checkedMs > CHAIN_CHECK_MS) {
      await transaction(db, (tx) => ensureChain(tx))
      checkedMs = performance.now()
    }
    if (await isRoundMissing(db)) await transaction(db, openRound)
  }
}

async function isRoundMissing(db: Db): Promise<boolean> {
  const { rows } = await sql<{ missing: boolean }>`select not exists (
    select from colour_rounds where opens_at >= ${roundOpening}) as missing`.execute(db)
  return rows[0]?.missing ?? false
}

/** Draws, settles or refunds every round whose betting is over. */
export async function finishDue({ db, chain, log }: Pick<Context, 'db' | 'chain' | 'log'>): Promise<void> {
  const { rows } = await sql<RoundRow & { in_time: boolean }>`
    select *, ${inTime} as in_time from colour_rounds where state = 'open' and closes_at <= clock_timestamp() order by number`.execute(
    db,
  )
  for (const { number, closes_at, block_hash, in_time } of rows) {
    if (in_time && !block_hash) {
      const block = await findDrawBlock(chain, closes_at).catch((error: Error) => {
        log.warn({ error: error.message, round: Number(number) }, 'could not read the block for the draw')
      })
      if (!block) continue
      await transaction(db, (tx) => bindBlock(tx, number, block))
    }
    await transaction(db, (tx) => finishRound(tx, number))
  }
}

/** Publishes the stakes per colour at most once a second, and only if they changed, instead of on every bet. */
function createStakePublisher({ db }: Context) {
  let published = ''
  return async (): Promise<void> => {
    const { rows } = await sql<RoundRow>`
      select * from colour_rounds where state = 'open' and bets > 0 order by number desc limit 1`.execute(db)
    if (!rows[0]) return
    const text = `${rows[0].number} ${rows[0].bets}`
    if (text === published) return
    await publishRound(db, rows[0])
    published = text
  }
}
