import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import type { Snapshot } from './tables.ts'

/** This snapshot, or the latest one. Only published ones count (`liability_published` in migrations/functions/trust.sql). */
export async function findSnapshot(db: Db, id?: string): Promise<Snapshot | undefined> {
  const { rows } = await sql<Snapshot>`
    select * from liability_published where id = coalesce(${id ?? null}::uuid, id) order by taken_at desc limit 1`.execute(
    db,
  )
  return rows[0]
}

export async function findSnapshotOf(db: Db, epoch: bigint): Promise<Snapshot | undefined> {
  const { rows } = await sql<Snapshot>`
    select * from liability_published where epoch = ${epoch} order by taken_at desc limit 1`.execute(db)
  return rows[0]
}
