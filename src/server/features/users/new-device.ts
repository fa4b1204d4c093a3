import { sql } from 'kysely'
import { knownDevice } from '../../../protocol/device.ts'
import type { ProofKey } from '../../../protocol/users.ts'
import type { RequestContext } from '../../context.ts'
import type { Tx } from '../../platform/db.ts'
import { addNews } from '../../platform/news.ts'

type SignIn = Pick<RequestContext, 'device' | 'clock'> & { nonce: string; proofKey: ProofKey | undefined }

/**
 * Tells users of a sign-in from a browser that they have not used before. A browser keeps its key from one session to the
 * next and cannot copy it, so the key is what identifies it. A sign-in without a key is always news. A user agent is text
 * that anyone can choose, so only our own words for it are shown.
 */
export async function tellOfNewDevice(tx: Tx, userNumber: number, { device, clock, nonce, proofKey }: SignIn) {
  if (proofKey && (await hasUsed(tx, userNumber, proofKey))) return
  const facts = { device: knownDevice(device) ?? 'Unknown device', at: clock.now() }
  await addNews(tx, { kind: 'sign_in', user: userNumber, key: nonce, facts })
}

async function hasUsed(tx: Tx, userNumber: number, { x, y }: ProofKey): Promise<boolean> {
  const { rows } = await sql`
    select from sessions where user_number = ${userNumber} and proof_key is not null
      and proof_key ->> 'x' = ${x} and proof_key ->> 'y' = ${y} limit 1`.execute(tx)
  return rows.length > 0
}
