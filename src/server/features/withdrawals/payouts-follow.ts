import { sql } from 'kysely'
import { getHotWallet } from '../../chain/addresses.ts'
import type { Chain } from '../../chain/client.ts'
import { findCursor } from '../../chain/deposits/claims.ts'
import type { FinalHead } from '../../chain/deposits/prove.ts'
import { findAgreeing } from '../../chain/nodes.ts'
import {
  closePayout,
  type HotWallet,
  hasOtherOpenPayout,
  isOfVault,
  type OpenPayout,
  signReplacement,
} from '../../chain/payouts/payouts.ts'
import { readNonceAt, readStanding, type Standing, sendPayout } from '../../chain/payouts/send.ts'
import { transaction } from '../../platform/db.ts'
import type { Payer } from './payouts.ts'
import { haltFor } from './payouts-refuse.ts'
import { type Fault, findRecordFaults, findSignatureFaults, only, vaultIdOf } from './verify.ts'
import { changeState, publishChange, returnMoney } from './withdrawals.ts'

type Seen = { head: FinalHead; wallet: HotWallet }

/** Sends a payout until it is mined, replaces it when it is stuck, and signs it again when it failed. */
export async function followPayout(payer: Payer, payout: OpenPayout, { head, wallet }: Seen): Promise<void> {
  const { chain, onStep } = payer
  const isCurrent = payout.wallet === getHotWallet(chain)
  const used = isCurrent ? wallet.nonce : await readNonceAt(chain, payout.wallet)
  if (payout.nonce >= used) {
    // The key of an earlier hot wallet is gone: its payouts are sent as they were signed.
    const newest = isCurrent ? await replaceIfStuck(payer, payout, wallet) : payout
    if (!newest) return
    if (!isCurrent) await signAgainIfRetired(payer, payout)
    onStep?.('broadcasting')
    const isTaken = await sendPayout(chain, newest)
    onStep?.('broadcast')
    if (isTaken) await noteSent(payer, newest)
    onStep?.('sent')
    return
  }
  const standing = await readStanding(chain, payout, head)
  if (standing.mined) await noteStanding(payer, payout, standing)
  if (!standing.mined || (standing.isFinal && !standing.succeeded)) await sendAgainIfFailed(payer, payout)
  else if (payout.isVoid && standing.isFinal && payout.vaultId) await refundVoided(payer, payout, payout)
}

/**
 * The payout wallet was replaced, and the vault may no longer accept what the earlier one signed. The new wallet signs the
 * payout again, while the old bytes are still sent: the vault pays the id once. Nothing protects a transfer from before
 * the vault, or one of another vault, so those are never signed again.
 */
async function signAgainIfRetired({ db, chain }: Payer, payout: OpenPayout): Promise<void> {
  if (!isOfVault(chain, payout) || (await hasOtherOpenPayout(db, payout))) return
  await transaction(db, (tx) => changeState(tx, payout.reference, ['signed', 'sent'], 'requested'))
}

/** Signs again only what is verified again: the row of a payout proves no more than that of a withdrawal (R22). */
async function replaceIfStuck(payer: Payer, payout: OpenPayout, wallet: HotWallet): Promise<OpenPayout | undefined> {
  const { db, chain, stuckSeconds } = payer
  const isNext = payout.nonce === wallet.nonce
  // Only the lowest open nonce can be stuck. The payouts after it just wait for it.
  if (!isNext || (payout.attempts.at(-1)?.ageSeconds ?? 0) < stuckSeconds || !isOfVault(chain, payout)) return payout
  const fault = await findPayoutFault(payer, payout)
  if (!fault) return transaction(db, (tx) => signReplacement(tx, chain, payout, wallet.fees))
  await haltFor(payer, fault)
  return undefined
}

async function findPayoutFault({ db, chain }: Payer, payout: OpenPayout): Promise<Fault | undefined> {
  const id = payout.reference
  const known = await db.selectFrom('withdrawals').selectAll().where('id', '=', id).executeTakeFirst()
  if (!known) return { id, problem: 'does not exist' }
  // The vault would pay another id once more.
  if (vaultIdOf(chain, known) !== payout.vaultId) return { id, problem: 'has a payout with an id that is not its own' }
  const [fault] = await findRecordFaults(db, only(id))
  return fault ?? (await findSignatureFaults(db, chain, only(id)))[0]
}

async function noteSent({ db }: Payer, payout: OpenPayout): Promise<void> {
  const change = { tx_hash: payout.attempts.at(-1)?.txHash ?? null, note: payout.isVoid ? VOIDING : null }
  await transaction(db, (tx) => changeState(tx, payout.reference, ['signed'], 'sent', change))
}

async function noteStanding({ db }: Payer, payout: OpenPayout, standing: Standing & { mined: true }): Promise<void> {
  const { txHash, confirmations, needed } = standing
  await transaction(db, async (tx) => {
    await changeState(tx, payout.reference, ['signed'], 'sent', {
      tx_hash: txHash,
      note: payout.isVoid ? VOIDING : null,
    })
    const row = await tx
      .updateTable('withdrawals')
      .set({ tx_hash: txHash, confirmations: Math.min(confirmations, needed), confirmations_needed: needed })
      .where('id', '=', payout.reference)
      .where('state', '=', 'sent')
      .where((where) =>
        where.or([where('confirmations', '<>', Math.min(confirmations, needed)), where('tx_hash', '<>', txHash)]),
      )
      .returningAll()
      .executeTakeFirst()
    if (row) await publishChange(tx, row)
  })
}

/**
 * The nonce is used and none of our attempts moved money: the vault refused the payout, or another program used the
 * nonce. Two sources must agree: the caller found no successful receipt, and the watcher, which has read every block up
 * to one where the nonce was used, saw no payment. Every node must report that the nonce is used. Then it is signed again
 * with the same id. It is not refunded: only a voided id can never be paid.
 */
async function sendAgainIfFailed({ db, chain, onStep }: Payer, payout: OpenPayout): Promise<void> {
  const cursor = await findCursor(db, chain)
  if (!cursor) return
  const isUnused = async (node: Chain) => (await readNonceAt(node, payout.wallet, cursor.number)) <= payout.nonce
  if (await findAgreeing(chain, isUnused)) return
  await transaction(db, async (tx) => {
    const hashes = payout.attempts.map(({ txHash }) => txHash)
    const { rows } = await sql`select from chain_payments where tx_hash = any(${hashes})`.execute(tx)
    if (rows.length > 0) return
    onStep?.('retrying')
    await closePayout(tx, chain, payout)
    if (await hasOtherOpenPayout(tx, payout)) return
    await changeState(tx, payout.reference, ['signed', 'sent'], 'requested', { note: FAILED })
  })
}

/** Returns the money when the id is voided in a final block, so that the vault can never pay it. */
export async function refundVoided(
  { db, chain, onStep }: Payer,
  { reference, vaultId }: Pick<OpenPayout, 'reference' | 'vaultId'>,
  closes?: OpenPayout,
): Promise<boolean> {
  return transaction(db, async (tx) => {
    const { rows } = await sql`
      select from vault_voids where id = ${vaultId} and vault = ${chain.settings.vault}
        and chain_id = ${chain.settings.chainId}`.execute(tx)
    if (rows.length === 0) return false
    onStep?.('refunding')
    if (closes) await closePayout(tx, chain, closes)
    await changeState(tx, reference, ['requested'], 'signed')
    await returnMoney(tx, reference, ['signed', 'sent'], 'refunded', REFUNDED)
    return true
  })
}

export const VOIDING =
  'The payment is not possible. The full amount returns to your balance when the chain confirms it.'
const FAILED = 'The payment failed on chain. Your withdrawal will be sent again automatically.'
const REFUNDED = 'The payment is not possible. The full amount is back in your balance.'
