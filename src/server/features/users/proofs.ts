import type { Pool } from 'pg'
import { AppError } from '../../../protocol/errors.ts'
import { batched } from '../../platform/batch.ts'
import { checkProof, type ProvenRequest } from '../../platform/dpop.ts'
import type { FoundSession } from './sessions.ts'

type Proof = { sessionId: string; hash: string }

/** In the order of the key, so that two processes that store the same proofs wait for each other in the same order. */
const STORE = `
  insert into session_proofs (session_id, proof_hash)
  select session_id, proof_hash from unnest($1::uuid[], $2::text[]) as used (session_id, proof_hash) order by 1, 2
  on conflict do nothing
  returning session_id, proof_hash`

/** Stores used proofs. Those of concurrent calls are stored in one statement and one commit. */
function createProofStore(pool: Pool) {
  return batched<Proof, true>(
    async (proofs) => {
      const values = [proofs.map(({ sessionId }) => sessionId), proofs.map(({ hash }) => hash)]
      type Row = { session_id: string; proof_hash: string }
      const { rows } = await pool.query<Row>({ name: 'session_proofs', text: STORE, values })
      const stored = new Set(rows.map(({ session_id, proof_hash }) => `${session_id} ${proof_hash}`))
      // Of calls with the same proof, only the first gets it.
      return proofs.map(({ sessionId, hash }) => stored.delete(`${sessionId} ${hash}`) || undefined)
    },
    { name: 'session_proofs' },
  )
}

/** If the session is bound to a key, calls that change something need a DPoP proof signed by that key (R5). */
export function createProofCheck(pool: Pool) {
  const store = createProofStore(pool)
  return async (session: FoundSession, header: string | undefined, request: ProvenRequest): Promise<void> => {
    if (!session.proofKey) return
    if (!header)
      throw new AppError('proof_required', 'This session is bound to the key it was opened with: send a DPoP proof')
    const hash = checkProof(header, session.proofKey, request)
    // A proof that is not stored now was used before. One that cannot be stored fails the call.
    if (!(await store({ sessionId: session.id, hash })))
      throw new AppError('proof_required', 'This DPoP proof was already used')
  }
}
