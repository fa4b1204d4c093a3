import { hostname } from 'node:os'
import { sql } from 'kysely'
import type { Address } from '../../protocol/ids.ts'
import type { Db } from '../platform/db.ts'
import { MINUTE_MS } from '../platform/jobs.ts'
import type { Loop } from '../platform/loops.ts'
import type { Chain } from './client.ts'
import { findSigner } from './signers.ts'
import type { SignerRole } from './tables.ts'

/** A row that is older belongs to a worker that has stopped, or that cannot reach the database. */
export const SEEN_MINUTES = 5

/** Where a key of the vault is. `isNow`: a worker renewed the row in the last minutes. */
export type KeyPlace = { role: SignerRole; address: Address; place: string; host: string; isNow: boolean }

/** Tells operators where the keys are, without the keys (`ops keys`). The loop repeats it after a database outage. */
export const keyPlacesLoop = (db: Db, chain: Chain): Loop => ({
  name: 'record-key-places',
  restMs: MINUTE_MS,
  run: () => recordKeyPlaces(db, chain),
})

export async function recordKeyPlaces(db: Db, chain: Chain): Promise<void> {
  for (const role of ['payer', 'publisher'] as const) {
    const signer = findSigner(chain, role)
    if (!signer) continue
    await sql`
      insert into chain_key_places (role, address, place, host)
      values (${role}, ${signer.address}, ${signer.place}, ${hostname()})
      on conflict (role, address, place, host) do update set seen_at = now()`.execute(db)
  }
}

export async function listKeyPlaces(db: Db): Promise<KeyPlace[]> {
  const { rows } = await sql<KeyPlace>`
    select role, address, place, host, seen_at > now() - make_interval(mins => ${SEEN_MINUTES}) as "isNow"
    from chain_key_places order by role, "isNow" desc, host, place`.execute(db)
  return rows
}
