import { type RawBuilder, sql } from 'kysely'
import { type ArchivedEntry, ENTRY_FIELDS, FORMAT } from '../../verifier/archive.ts'
import type { Db, Tx } from '../platform/db.ts'
import { wrong } from './command.ts'

/** Rows per read, so that a slice of any size neither fills the memory nor is sorted twice. */
const ROWS = 5_000
/** Sorting a large slice takes longer than the login's limit for a statement. */
const STATEMENT_LIMIT = '10min'

type Seal = {
  id: bigint
  tx_from: bigint
  tx_to: bigint
  entries: bigint
  digest: string
  hash: string
  previous: string
}

/**
 * The lines of an archive, a few thousand at a time: all sealed slices after a seal, by default after the last restored
 * dump. The format is explained in src/verifier/archive.ts.
 */
export async function* archiveLines(db: Db, after?: bigint): AsyncGenerator<string[]> {
  const seals = await listSeals(db, after)
  const last = seals.at(-1)
  if (!last) throw wrong('There is no sealed history to archive yet')
  yield [JSON.stringify({ format: FORMAT, entry: ENTRY_FIELDS })]
  let entries = 0n
  for (const seal of seals) {
    yield* sliceLines(db, seal)
    entries += seal.entries
  }
  yield [JSON.stringify({ end: { seals: String(seals.length), entries: String(entries), hash: last.hash } })]
}

async function listSeals(db: Db, after?: bigint): Promise<Seal[]> {
  const checkpoint = await db.selectFrom('ledger_checkpoint').select('first_seal').executeTakeFirst()
  const earliest = (checkpoint?.first_seal ?? 1n) - 1n
  const start = after ?? earliest
  if (start < earliest)
    throw wrong(`Only the slices after seal ${earliest} can be archived: this database was restored`)
  const { rows } = await sql<Seal>`
    select id, tx_from, tx_to, entries, encode(digest, 'hex') as digest, encode(hash, 'hex') as hash,
      coalesce((select encode(before.hash, 'hex') from ledger_seals before where before.id = seal.id - 1), '') as previous
    from ledger_seals seal where id > ${start} order by id`.execute(db)
  return rows
}

async function* sliceLines(db: Db, { id, tx_from, tx_to, entries, digest, hash, previous }: Seal) {
  const seal = { id: String(id), tx_from: String(tx_from), tx_to: String(tx_to), previous }
  yield [JSON.stringify({ seal })]
  const within = sql`tx >= ${tx_from} and tx < ${tx_to}`
  yield* jsonRows<ArchivedEntry>(
    db,
    sql`select json_build_array(tx::text, account_id::text, version::text, amount::text, balance_after::text,
        to_char(posted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), kind, reference) as row
      from ledger_entries where ${within} order by tx, account_id, version`,
  )
  // The same bytes as in ledger_digest.
  yield* jsonRows<string>(
    db,
    sql`select to_json(encode(sha256(convert_to(kind || ' ', 'UTF8') || uuid_send(reference) || int4send(entries)
        || coalesce(uuid_send(digest), '') || convert_to(coalesce(reply::text, ''), 'UTF8')), 'hex')) as row
      from ledger_postings where ${within} order by tx, reference, kind::text collate "C"`,
  )
  yield [JSON.stringify({ sealed: { entries: String(entries), digest, hash } })]
}

/** The rows of a query as lines of JSON, read with a cursor. */
async function* jsonRows<Row>(db: Db, query: RawBuilder<unknown>): AsyncGenerator<string[]> {
  const tx = await db.startTransaction().execute()
  try {
    await sql`set local statement_timeout = ${sql.lit(STATEMENT_LIMIT)}`.execute(tx)
    await sql`declare archived no scroll cursor for ${query}`.execute(tx)
    for (;;) {
      const { rows } = await sql<{ row: Row }>`fetch ${sql.lit(ROWS)} archived`.execute(tx as unknown as Tx)
      if (rows.length > 0) yield rows.map(({ row }) => JSON.stringify(row))
      if (rows.length < ROWS) break
    }
  } finally {
    await tx.rollback().execute()
  }
}
