import { sql } from 'kysely'
import { type Db, transaction } from '../platform/db.ts'
import { type HaltSource, halt, resume } from './halt.ts'

/**
 * Halts that rest only on what a chain node reports (R25). The pass that gets such an answer does nothing else. The
 * second pass that gets it halts. Two passes in a row that agree with our records end the doubt and the halt, so no
 * operator is needed after a wrong answer. Passes count once per block.
 */
type DoubtSource = Extract<HaltSource, 'chain' | 'payout-wallet'>

const PASSES_AGAINST = 2
const PASSES_AGREED = 2

/** Call when a pass contradicts our records. `reason` is public: say what the node reports, not what it may mean. */
export async function noteDoubt(db: Db, source: DoubtSource, reason: string, block: bigint): Promise<void> {
  await transaction(db, async (tx) => {
    const { rows } = await sql<{ against: number }>`
      insert into halt_doubts as doubt values (${source}, ${block}, 1, 0)
      on conflict (source) do update set block_number = excluded.block_number, agreed = 0,
        against = doubt.against + (doubt.block_number <> excluded.block_number)::int
      returning against`.execute(tx)
    if ((rows[0]?.against ?? 0) >= PASSES_AGAINST) await halt(tx, source, reason)
  })
}

/** Call when a pass agrees with our records. */
export async function noteAgreement(db: Db, source: DoubtSource, block: bigint): Promise<void> {
  if (!(await hasDoubt(db, source))) return
  await transaction(db, async (tx) => {
    const { rows } = await sql<{ agreed: number }>`
      update halt_doubts set block_number = ${block}, agreed = agreed + 1
      where source = ${source} and block_number <> ${block} returning agreed`.execute(tx)
    if ((rows[0]?.agreed ?? 0) < PASSES_AGREED) return
    await tx.deleteFrom('halt_doubts').where('source', '=', source).execute()
    await resume(tx, source, 'the chain node agrees with our records again')
  })
}

export async function hasDoubt(db: Db, source: DoubtSource): Promise<boolean> {
  const row = await db.selectFrom('halt_doubts').select('source').where('source', '=', source).executeTakeFirst()
  return row !== undefined
}
