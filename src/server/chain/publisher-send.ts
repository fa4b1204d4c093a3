import { sql } from 'kysely'
import { type Db, type Tx, transaction } from '../platform/db.ts'
import { publish } from '../platform/events.ts'
import type { Log } from '../platform/log.ts'
import type { Chain } from './client.ts'
import { type FinalHead, readFinalHead } from './deposits/prove.ts'
import { raisedFees, readFees } from './fees.ts'
import { readNonceAt, readStanding, sendPayout } from './payouts/send.ts'
import { listOpenCalls, type OpenCall, publisherAddress, signAgain } from './publisher.ts'

export type Sender = {
  db: Db
  chain: Chain
  log: Log
  /** How long an attempt may stay unmined before it is replaced with a higher fee. */
  stuckSeconds: number
}

/** One pass: sends what is signed and closes what is final. Safe to kill at any point, and in several workers. */
export async function followCalls(sender: Sender): Promise<void> {
  const { db, chain, log } = sender
  // In a transaction: what is sent cannot be undone, so it must be on the standby, too (R26).
  const open = await transaction(db, (tx) => listOpenCalls(tx, chain))
  if (open.length === 0) return
  const head = await readFinalHead(chain)
  for (const call of open) {
    try {
      await followCall(sender, call, head)
    } catch (error) {
      log.error({ err: error, kind: call.kind, nonce: String(call.nonce) }, 'following a vault call failed, will retry')
    }
  }
}

async function followCall(sender: Sender, call: OpenCall, head: FinalHead): Promise<void> {
  const { db, chain } = sender
  const standing = await readStanding(chain, call, head)
  if (standing.mined) {
    if (standing.isFinal) await transaction(db, (tx) => closeCall(tx, chain, call, standing.succeeded))
    return
  }
  // Another transaction has used the nonce, so this one can never be mined.
  if ((await readNonceAt(chain, call.wallet, head.number)) > call.nonce)
    return transaction(db, (tx) => closeCall(tx, chain, call, false))
  await sendCall(sender, call)
}

async function sendCall({ db, chain, stuckSeconds }: Sender, call: OpenCall): Promise<void> {
  const last = call.attempts.at(-1)
  if (!last) throw new Error('a call without an attempt')
  const isStuck = last.ageSeconds >= stuckSeconds && call.wallet === publisherAddress(chain)
  if (!isStuck) return void (await sendPayout(chain, call))
  const fees = raisedFees(last, await readFees(chain))
  await transaction(db, (tx) => signAgain(tx, chain, call, fees))
}

async function closeCall(tx: Tx, { settings }: Chain, call: OpenCall, succeeded: boolean): Promise<void> {
  await tx
    .updateTable('vault_calls')
    .set({ closed_at: sql`now()`, succeeded })
    .where('chain_id', '=', BigInt(settings.chainId))
    .where('wallet', '=', call.wallet)
    .where('nonce', '=', call.nonce)
    .where('closed_at', 'is', null)
    .execute()
  // From now on the tree is public. A proof is checked against the published figures, so pages must read them again.
  if (call.kind === 'publish' && succeeded) await publish(tx, { topic: 'snapshot' })
}
