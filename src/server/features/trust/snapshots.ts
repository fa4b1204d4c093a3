import { sql } from 'kysely'
import type { Hash } from '../../chain/tables.ts'
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

/** The transactions that were sent to publish this root. One of them is in a block. */
export async function listRootTransactions(db: Db, { chain_id, vault, root }: Snapshot): Promise<Hash[]> {
  const { rows } = await sql<{ tx_hash: Hash }>`
    select a.tx_hash from vault_calls c join vault_call_attempts a using (chain_id, wallet, nonce)
    where c.chain_id = ${chain_id} and c.vault = ${vault} and c.kind = 'publish' and c.value = ${root} and c.succeeded
    order by a.signed_at`.execute(db)
  return rows.map(({ tx_hash }) => tx_hash)
}

export async function findSnapshotOf(db: Db, epoch: bigint): Promise<Snapshot | undefined> {
  const { rows } = await sql<Snapshot>`
    select * from liability_published where epoch = ${epoch} order by taken_at desc limit 1`.execute(db)
  return rows[0]
}
