import { WEI_PER_MICRO } from '../../../protocol/money.ts'
import type { Chain } from '../../chain/client.ts'
import type { Settle } from '../../chain/deposits/book.ts'
import type { ChainPayment } from '../../chain/deposits/claims.ts'
import { storeKnownPayout } from '../../chain/payouts/known.ts'
import { closePayout, findPayout } from '../../chain/payouts/payouts.ts'
import type { Hash } from '../../chain/tables.ts'
import { systemAccount } from '../../ledger/accounts.ts'
import { post } from '../../ledger/post.ts'
import type { Tx } from '../../platform/db.ts'
import { addNews } from '../../platform/news.ts'
import type { WithdrawalRow } from './tables.ts'
import { vaultIdOf } from './verify.ts'
import { changeState } from './withdrawals.ts'

/**
 * Marks a withdrawal as paid when its payment is final. A payment that matches no withdrawal is not booked: then nothing
 * more is signed, and invariant 9 halts payouts.
 *
 * The vault's `Paid` event has the id, which belongs to one signed request. So this also settles a payout that a restored
 * database does not know: `signed` are the bytes of its transaction, whose nonce is stored.
 */
export const settleWithdrawal: Settle = async (tx, chain, payment, signed) => {
  const payout = await findPayout(tx, payment.txHash)
  const vaultId = await findPaidId(tx, chain, payment)
  const row = vaultId
    ? await findByVaultId(tx, chain, payment, vaultId)
    : // A token transfer that the hot wallet signed before the vault.
      payout?.wallet === payment.from && (await findOpen(tx, payment)).find(({ id }) => id === payout.reference)
  const place = payout ?? signed
  if (!row || !place) return undefined
  if (!payout && signed)
    await storeKnownPayout(tx, chain, { reference: row.id, to: row.to_address, amount: row.net }, signed)
  await changeState(tx, row.id, ['requested'], 'signed')
  await changeState(tx, row.id, ['signed', 'sent'], 'paid', { tx_hash: payment.txHash })
  const key = { kind: 'withdrawal_payment', reference: row.id } as const
  const movement = { from: systemAccount('payout_pending'), to: systemAccount('custody'), amount: row.net }
  await post(tx, { ...key, movements: [movement] })
  await closePayout(tx, chain, place)
  const facts = { amount: row.net, tx_hash: payment.txHash }
  await addNews(tx, { kind: 'withdrawal_paid', user: row.user_number, key: row.id, facts })
  return key
}

/** The id in the `Paid` event of this payment; undefined if the vault did not pay it, or paid the same twice in one call. */
async function findPaidId(tx: Tx, { settings }: Chain, payment: ChainPayment): Promise<Hash | undefined> {
  const rows = await tx
    .selectFrom('vault_payments')
    .select('id')
    .where('chain_id', '=', BigInt(settings.chainId))
    .where('vault', '=', payment.from)
    .where('tx_hash', '=', payment.txHash)
    .where('wallet', '=', payment.to)
    .where('micro', '=', payment.amount)
    .execute()
  return rows.length === 1 ? rows[0]?.id : undefined
}

const findByVaultId = async (tx: Tx, chain: Chain, payment: ChainPayment, vaultId: Hash) =>
  (await findOpen(tx, payment)).find((row) => vaultIdOf(chain, row) === vaultId)

/** Withdrawals of this address and amount that are not paid yet. */
async function findOpen(tx: Tx, { to, valueWei, amount }: ChainPayment): Promise<WithdrawalRow[]> {
  if (valueWei !== amount * WEI_PER_MICRO) return []
  return tx
    .selectFrom('withdrawals')
    .selectAll()
    .where('to_address', '=', to)
    .where('net', '=', amount)
    .where('state', 'in', ['requested', 'signed', 'sent'])
    .forUpdate()
    .execute()
}
