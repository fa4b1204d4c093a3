import { type RawBuilder, sql } from 'kysely'
import { sourceByAccount } from '../../../protocol/balance.ts'
import type { Address } from '../../../protocol/ids.ts'
import { SIGNATURE_MINUTES } from '../../../protocol/wallet-signature.ts'
import { withdrawalTypedData, withdrawalTypedDataWithoutFee } from '../../../protocol/withdrawals.ts'
import type { Chain } from '../../chain/client.ts'
import { hashSigned, isContract, isSignedByKey, isSignedByWallet } from '../../chain/step-up.ts'
import type { Hash } from '../../chain/tables.ts'
import { systemAccount } from '../../ledger/accounts.ts'
import { createVerified } from '../../ledger/verified.ts'
import type { Db } from '../../platform/db.ts'
import type { WithdrawalRow } from './tables.ts'

/**
 * No withdrawal row is trusted (R22): the application's database role can write one. Before a payout is signed, and in
 * every audit, these checks compare the row with what that role cannot forge or hide: the signature of the user's
 * wallet, the ledger's posting, and the operators' approvals.
 */
export type Fault = { id: string; problem: string }

/** Selects withdrawals `w`. */
export type Which = RawBuilder<boolean>
export const only = (id: string): Which => sql`w.id = ${id}`

/** How far the clocks of the API and the database may differ. */
const CLOCK_MINUTES = 1

/** The checks that need only the database. Fee and limits are those of the terms when it was requested. */
export async function findRecordFaults(db: Db, which: Which): Promise<Fault[]> {
  const { rows } = await sql<Fault>`
    select w.id, fault.problem
    from withdrawals w
      join users u on u.number = w.user_number
      left join terms_periods t on w.requested_at >= t.starts_at and w.requested_at < t.ends_at
      left join lateral (select * from chain_payouts p where p.reference = w.id and p.closed_at is null
        order by p.nonce limit 1) payout on true,
      lateral (
        select coalesce(sum(amount) filter (where account_id = w.user_number::bigint * 16 + ledger_account_code(w.source)), 0) as taken,
          coalesce(sum(amount) filter (where account_id = ${systemAccount('payout_pending')}), 0) as reserved,
          coalesce(sum(amount) filter (where account_id = ${systemAccount('fees')}), 0) as charged
        from ledger_entries where kind = 'withdrawal' and reference = w.id
          -- The entries of a posting have its tx, whose index finds them.
          and tx = (select tx from ledger_postings where kind = 'withdrawal' and reference = w.id)) posted,
      lateral (values
        (w.to_address <> wallet_at(w.user_number, w.requested_at), 'goes to an address that is not the wallet of its user'),
        (w.requested_at > u.deleted_at, 'was requested after its user was deleted'),
        (w.deadline not between w.requested_at - make_interval(mins => ${CLOCK_MINUTES})
            and w.requested_at + make_interval(mins => ${SIGNATURE_MINUTES + 1 + CLOCK_MINUTES}),
          'was requested outside the time its signature is valid'),
        ((posted.taken, posted.reserved, posted.charged) is distinct from (-w.amount, w.net, w.fee),
          'is not reserved by its posting'),
        (w.state in ('requested', 'waiting', 'signed', 'sent') and exists (select from ledger_postings p
            where p.kind in ('withdrawal_payment', 'withdrawal_return') and p.reference = w.id),
          'was already paid or returned'),
        (w.fee is distinct from w.amount * (t.terms ->> 'withdrawalFeePercent')::bigint / 100,
          'has a fee that the terms do not allow'),
        (w.state in ('requested', 'signed', 'sent') and not ${isApproved}, 'lacks the approval of an operator'),
        (w.state in ('requested', 'waiting') and payout.nonce is not null
            -- A payout of an earlier key stays open while the withdrawal is signed again.
            and not exists (select from withdrawal_changes c where c.withdrawal_id = w.id and c.to_state = 'signed'),
          'has a payout that was not approved'),
        ((payout.to_address, payout.amount) <> (w.to_address, w.net), 'has a payout of another amount or address')
      ) fault (is_found, problem)
    where fault.is_found and ${which}
    order by w.requested_at, w.id`.execute(db)
  return rows
}

/** Whether operators approved a withdrawal, or it needs no approval. Invariant 29 verifies the operators' signatures. */
const isApproved = sql`(withdrawal_is_approved(w.id) or withdrawal_is_automatic(w, t.terms))`

type Signed = Pick<
  WithdrawalRow,
  'id' | 'amount' | 'fee' | 'source' | 'to_address' | 'nonce' | 'deadline' | 'signature' | 'fee_is_signed' | 'state'
> & { wallet_address: Address }

/** The withdrawals whose signature is not the user's wallet's. Calls the chain node only for contract wallets. */
export async function findSignatureFaults(db: Db, chain: Chain, which: Which): Promise<Fault[]> {
  const { rows } = await sql<Signed>`
    select w.id, w.amount, w.fee, w.source, w.to_address, w.nonce, w.deadline, w.signature, w.fee_is_signed, w.state,
      wallet_at(w.user_number, w.requested_at) as wallet_address
    from withdrawals w
    where ${which} order by w.requested_at, w.id`.execute(db)
  const faults: Fault[] = []
  for (const row of rows)
    if (!(await isSigned(chain, row))) faults.push({ id: row.id, problem: 'is not signed by the wallet of its user' })
  return faults
}

async function isSigned(chain: Chain, row: Signed): Promise<boolean> {
  const { signature, wallet_address: wallet } = row
  const data = signedData(chain, row)
  const isOpen = ['requested', 'waiting', 'signed', 'sent'].includes(row.state)
  if (isOpen) return isSignedByWallet(chain, wallet, data, signature)
  const covered = JSON.stringify([row, chain.settings.chainId], (_, value) =>
    typeof value === 'bigint' ? `${value}` : value,
  )
  if (verified.has(covered)) return true
  // A contract wallet may have changed its keys since, so an old signature of one cannot be checked again.
  const holds = (await isSignedByKey(wallet, data, signature)) || (await isContract(chain, wallet))
  if (holds) verified.add(covered)
  return holds
}

/** Closed withdrawals that this process has verified. The signatures of open ones are always verified again. */
const verified = createVerified()

type SignedRow = Pick<
  WithdrawalRow,
  'amount' | 'fee' | 'source' | 'to_address' | 'nonce' | 'deadline' | 'fee_is_signed'
>

/**
 * The id under which the vault pays this withdrawal, at most once. It is the hash that the user's wallet signed, so it is
 * the same after a restore, and no row can have another one.
 */
export const vaultIdOf = (chain: Chain, row: SignedRow): Hash => hashSigned(signedData(chain, row))

/** The message that the wallet signed for this row. */
export function signedData({ settings }: Chain, row: SignedRow) {
  const { amount, fee, to_address: address, nonce, deadline } = row
  const order = { amount, fee, source: sourceByAccount[row.source], address, nonce, deadline }
  const dataOf = row.fee_is_signed ? withdrawalTypedData : withdrawalTypedDataWithoutFee
  return dataOf({ ...order, chainId: settings.chainId })
}
