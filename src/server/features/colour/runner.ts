import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { type Db, transaction } from '../../platform/db.ts'
import type { Loop } from '../../platform/loops.ts'
import { findDrawBlock } from './block.ts'
import { bindBlock, ensureChain, inTime, isRefundedUnseen, openRound, revealRound, roundOpening } from './draws.ts'
import { publishRound } from './queries.ts'
import { finishRound } from './rounds.ts'
import type { RoundRow } from './tables.ts'

/** The loops of the seeds process. Several may run: each step takes effect once. */
export function seedLoops(context: Context): Loop[] {
  const draw = { name: 'draw-colour-rounds', restMs: 300, run: () => drawDue(context) }
  if (!context.config.colourRealMoney) return [draw]
  return [{ name: 'open-colour-rounds', restMs: 200, run: createOpener(context) }, draw]
}

/** The worker's loops for the colour game. Several workers may run them: each step takes effect once. */
export function colourLoops(context: Context): Loop[] {
  const finish = { name: 'finish-colour-rounds', restMs: 200, run: () => finishDue(context) }
  if (!context.config.colourRealMoney) return [finish]
  return [finish, { name: 'publish-colour-stakes', restMs: 1_000, run: createStakePublisher(context) }]
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

/** Binds and draws every round whose betting is over, and publishes the seeds of refunded ones. */
export async function drawDue({ db, chain, log }: Pick<Context, 'db' | 'chain' | 'log'>): Promise<void> {
  const { rows } = await sql<RoundRow>`
    select * from colour_rounds
    where (state = 'open' and closes_at <= clock_timestamp() and ${inTime}) or ${isRefundedUnseen}
    order by number`.execute(db)
  for (const { number, state, closes_at, block_hash } of rows) {
    if (state === 'open' && !block_hash) {
      const block = await findDrawBlock(chain, closes_at).catch((error: Error) => {
        log.warn({ error: error.message, round: Number(number) }, 'could not read the block for the draw')
      })
      if (!block) continue
      await transaction(db, (tx) => bindBlock(tx, number, block))
    }
    await transaction(db, (tx) => revealRound(tx, number))
  }
}

/**
 * Settles every drawn round, and refunds those without a result in time. Also draws a bound round that the seeds process
 * has not drawn, so that process cannot withhold a draw.
 */
export async function finishDue({ db }: Pick<Context, 'db'>): Promise<void> {
  const { rows } = await sql<{ number: bigint }>`
    select number from colour_rounds
    where state = 'drawn' or (state = 'open' and (bound_at is not null or not (${inTime}))) order by number`.execute(db)
  for (const { number } of rows) {
    await transaction(db, (tx) => revealRound(tx, number))
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
