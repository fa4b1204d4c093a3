import { sql } from 'kysely'
import { ZERO } from '../../../protocol/money.ts'
import { getHotWallet } from '../../chain/addresses.ts'
import type { Chain } from '../../chain/client.ts'
import { findCursor } from '../../chain/deposits/claims.ts'
import { type FinalHead, readFinalHead } from '../../chain/deposits/prove.ts'
import { findAgreeing } from '../../chain/nodes.ts'
import {
  findNextNonce,
  GAS_MAX,
  type HotWallet,
  listOpenPayouts,
  type Payout,
  readHotWallet,
  signPayout,
} from '../../chain/payouts/payouts.ts'
import { readNonceAt } from '../../chain/payouts/send.ts'
import { judgePayout, type Verdict } from '../../chain/payouts/vault-checks.ts'
import { SignerError } from '../../chain/signers.ts'
import { readVault } from '../../chain/vault.ts'
import { findStaleAudit } from '../../ledger/audit-runs.ts'
import { hasDoubt, noteAgreement, noteDoubt } from '../../ledger/doubts.ts'
import { findHalt } from '../../ledger/halt.ts'
import { type Db, transaction } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import { followPayout, refundVoided, VOIDING } from './payouts-follow.ts'
import { faultOf, haltFor, RefusedPayout } from './payouts-refuse.ts'
import type { WithdrawalRow } from './tables.ts'
import { findRecordFaults, findSignatureFaults, only, vaultIdOf } from './verify.ts'
import { changeState } from './withdrawals.ts'

export type Payer = {
  db: Db
  chain: Chain
  log: Log
  /** Audits the books as they are now. False if they did not pass, or if it is too early for another audit. */
  passesAudit(): Promise<boolean>
  /** How long an attempt may stay unmined before it is replaced with a higher fee. */
  stuckSeconds: number
  /** Called at each step, so that a test can kill the process there. */
  onStep?(step: Step): void
}
type Step = 'reserved' | 'signing' | 'stored' | 'broadcasting' | 'broadcast' | 'sent' | 'retrying' | 'refunding'

const READY_MAX = 50
/** A watcher that is further behind the final block than this has not seen what was paid last. */
const LAG_BLOCKS_MAX = 10n
const HALTED = 'Payouts are paused while we look into a problem. Your withdrawal will be sent after that.'
const UNCHECKED = 'Payouts are paused until all our checks can run again. Your withdrawal will be sent after that.'
const BEHIND = 'Payouts wait until our records match the chain. Your withdrawal will be sent after that.'
/** Why a withdrawal waits. The vault refuses it now, but not for ever, so it is not refunded. */
const waitingNotes: Record<Exclude<Verdict, 'pays' | 'never'> | 'gas', string> = {
  gas: 'Our payout wallet is being refilled. Your withdrawal will be sent automatically.',
  limit: 'The vault’s daily limit is used up. Your withdrawal will be sent automatically.',
  stale: 'The vault waits for the next proof of all balances. Your withdrawal will be sent automatically.',
  paused: 'The vault is paused. Your withdrawal will be sent after that.',
  used: BEHIND,
  'not-payer': 'Our payout wallet is being replaced. Your withdrawal will be sent automatically.',
}
const NO_NODES = 'Payouts wait until enough chain nodes agree. Your withdrawal will be sent after that.'
const UNSIGNED = 'Payouts wait for our signer. Your withdrawal will be sent automatically.'
const USED_ELSEWHERE = 'The chain node reports transactions of the payout wallet that we did not send'

/** One pass: signs ready withdrawals, sends signed ones and follows sent ones. Safe to kill at any point. */
export async function payWithdrawals(payer: Payer): Promise<void> {
  const { db, chain, log } = payer
  if (!(await hasWork(db)) && !(await hasDoubt(db, 'payout-wallet'))) return
  const { wallet, head } = await readChain(payer)
  const isForeign = await isUsedElsewhere(payer, wallet, head)
  if (await findHalt(db)) await noteWaiting(db, HALTED)
  else if (await findStaleAudit(db)) await noteWaiting(db, UNCHECKED)
  else if (await areBooksBehind(payer, head)) await noteWaiting(db, BEHIND)
  else if (!isForeign) await signReady(payer, wallet)
  // In a transaction: what is sent cannot be undone, so it must be on the standby, too (R26).
  for (const payout of await transaction(db, (tx) => listOpenPayouts(tx, chain))) {
    try {
      await followPayout(payer, payout, { head, wallet })
    } catch (error) {
      log.error({ err: error, withdrawal: payout.reference }, 'following a payout failed, will retry')
    }
  }
}

async function readChain({ db, chain }: Payer): Promise<{ wallet: HotWallet; head: FinalHead }> {
  try {
    return { wallet: await readHotWallet(chain), head: await readFinalHead(chain) }
  } catch (error) {
    await noteWaiting(db, NO_NODES)
    throw error
  }
}

async function hasWork(db: Db): Promise<boolean> {
  const open = db.selectFrom('withdrawals').select('id').where('state', 'in', ['requested', 'signed', 'sent'])
  return (await open.limit(1).executeTakeFirst()) !== undefined
}

/**
 * Signs as many ready withdrawals as the vault pays now, oldest first, after an audit that read all of them. Each is
 * verified before it is signed, because its row proves nothing (R22).
 */
async function signReady(payer: Payer, wallet: HotWallet): Promise<void> {
  const { db, chain, onStep } = payer
  const own = (await listOpenPayouts(db, chain)).filter((payout) => payout.wallet === getHotWallet(chain))
  const unmined = own.filter(({ nonce }) => nonce >= wallet.nonce)
  const gasEach = GAS_MAX * wallet.fees.feeMaxWei
  const vault = await readVault(chain)
  let [room, gasWei] = [vault.limit - vault.left, wallet.gasWei]
  const take = ({ amount, isVoid }: Pick<Payout, 'amount' | 'isVoid'>) => {
    room -= isVoid ? ZERO : amount
    gasWei -= gasEach
  }
  for (const payout of unmined) take(payout)
  const payable: Payout[] = []
  for (const ready of await listReady(db)) {
    onStep?.('reserved')
    const payout = payoutOf(chain, ready)
    const verdict = gasWei < gasEach ? 'gas' : room < payout.amount ? 'limit' : await judgePayout(chain, payout)
    if (verdict === 'pays' || verdict === 'never') {
      payable.push({ ...payout, isVoid: verdict === 'never' })
      take({ ...payout, isVoid: verdict === 'never' })
    } else if (verdict !== 'used' || !(await refundVoided(payer, payout)))
      await noteWaiting(db, waitingNotes[verdict], ready.id)
  }
  if (payable.length === 0 || !(await payer.passesAudit())) return
  try {
    for (const payout of payable) if (!(await signVerified(payer, payout, wallet))) return
  } catch (error) {
    if (!(error instanceof SignerError)) throw error
    // Nothing is stored, so the next pass asks for the same nonce again. What was signed before is sent and followed.
    payer.log.error({ err: error }, 'the signer did not sign a payout, will retry')
    await noteWaiting(db, UNSIGNED)
  }
}

/** The id comes from what the user signed, so each new signature of this payout has the same one. */
const payoutOf = (chain: Chain, row: Ready): Payout => ({
  reference: row.id,
  to: row.to_address,
  amount: row.net,
  vaultId: vaultIdOf(chain, row),
  isVoid: false,
})

/** Signs one withdrawal. Returns false if it failed verification, which halts payouts. */
async function signVerified(payer: Payer, payout: Payout, wallet: HotWallet): Promise<boolean> {
  const { db, chain, onStep } = payer
  const { reference: id, isVoid } = payout
  // Before the transaction, because a contract wallet is called on chain. What was signed cannot change.
  let [fault] = await findSignatureFaults(db, chain, only(id))
  if (!fault)
    fault = await transaction(db, async (tx) => {
      const isReady = (await listReady(tx, id)).length > 0
      if (!isReady || !(await changeState(tx, id, ['requested'], 'signed', { note: isVoid ? VOIDING : null })))
        return undefined
      const [found] = await findRecordFaults(tx, only(id))
      if (found) throw new RefusedPayout(found)
      onStep?.('signing')
      await signPayout(tx, chain, payout, wallet.fees, wallet.nonce)
      return undefined
    }).catch(faultOf)
  if (fault) await haltFor(payer, fault)
  else onStep?.('stored')
  return fault === undefined
}

/**
 * Whether the node reports more transactions of the hot wallet than the books know. Then its key is used outside this
 * product and our nonces would collide, or the answer is wrong. Nothing is signed in this pass; if a second answer is
 * the same, ledger/doubts.ts decides about a halt.
 */
async function isUsedElsewhere({ db, chain }: Payer, wallet: HotWallet, head: FinalHead): Promise<boolean> {
  const isOurs = async (nonce: bigint) => nonce <= ((await findNextNonce(db, chain)) ?? nonce)
  if (await isOurs(wallet.nonce)) {
    await noteAgreement(db, 'payout-wallet', head.latest)
    return false
  }
  const agreeing = await findAgreeing(chain, async (node) => isOurs(await readNonceAt(node, getHotWallet(node))))
  if (!agreeing) await noteDoubt(db, 'payout-wallet', USED_ELSEWHERE, head.latest)
  return true
}

/**
 * After a restore, a withdrawal may be paid on chain already. So nothing is signed until the watcher has read the chain
 * and every payment from our wallets is booked.
 */
async function areBooksBehind({ db, chain }: Payer, head: FinalHead): Promise<boolean> {
  const cursor = await findCursor(db, chain)
  if (!cursor || head.number - cursor.number > LAG_BLOCKS_MAX) return true
  const { rows } = await sql`
    select from chain_unbooked w join chain_payments t on t.id = w.payment_id
    where t.direction = 'out' limit 1`.execute(db)
  return rows.length > 0
}

type Ready = Pick<
  WithdrawalRow,
  'id' | 'to_address' | 'net' | 'amount' | 'fee' | 'source' | 'nonce' | 'deadline' | 'fee_is_signed'
>

/** Withdrawals to pay, oldest first, or this one if it can be paid. A frozen user's money stays here. */
async function listReady(db: Db, id: string | null = null): Promise<Ready[]> {
  const { rows } = await sql<Ready>`
    select w.id, w.to_address, w.net, w.amount, w.fee, w.source, w.nonce, w.deadline, w.fee_is_signed
    from withdrawals w join users u on u.number = w.user_number
    where w.state = 'requested' and u.frozen_at is null and (${id}::uuid is null or w.id = ${id})
    order by w.requested_at limit ${READY_MAX}`.execute(db)
  return rows
}

/** Stores the reason why a withdrawal, or every ready one, is waiting. */
async function noteWaiting(db: Db, note: string, id?: string): Promise<void> {
  let update = db
    .updateTable('withdrawals')
    .set({ note })
    .where('state', '=', 'requested')
    .where('note', 'is distinct from', note)
  if (id !== undefined) update = update.where('id', '=', id)
  await update.execute()
}
