import { sql } from 'kysely'
import { WEI_PER_MICRO } from '../../protocol/money.ts'
import type { Findings } from '../ledger/findings.ts'
import { inPart, isOld, type Part, within } from '../ledger/parts.ts'

/** A bookable payment that was recorded before this time counts as forgotten by the watcher. */
const LATE = sql`now() - interval '15 minutes'`

/** Invariant 7: every posting from custody matches its booking, and every booking matches its payment. */
const custodyIn: Findings = sql`
  select format('%s %s took %s from custody, but %s is booked', coalesce(e.kind, b.kind),
    coalesce(e.reference, b.reference), coalesce(-e.amount, 0), coalesce(b.amount, 0)) as finding
  from (select * from ledger_entries where account_id = ledger_custody() and amount < 0) e
    full join (select b.* from chain_bookings b join chain_payments t on t.id = b.payment_id
      where t.direction = 'in' and b.kind is not null) b on (b.kind, b.reference) = (e.kind, e.reference)
  where b.amount is distinct from -e.amount`

const wrongAmounts: Findings = sql`
  select format('payment %s of %s wei is booked as %s and %s wei', t.id, t.value_wei, b.amount, b.remainder_wei) as finding
  from chain_bookings b join chain_payments t on t.id = b.payment_id
  where b.amount * ${WEI_PER_MICRO}::numeric + b.remainder_wei <> t.value_wei or b.remainder_wei >= ${WEI_PER_MICRO}::numeric`

const bookedTwice: Findings = sql`
  select format('payment %s is both booked and waiting to be booked', w.payment_id) as finding
  from chain_unbooked w join chain_bookings b on b.payment_id = w.payment_id`

/** A booking and its posting are one transaction. */
const HISTORY = ['ledger_entries', 'chain_bookings']

export const wrongBookings = (part?: Part): Findings[] => [
  within(part, HISTORY, custodyIn),
  within(part, ['chain_bookings'], wrongAmounts),
  ...(isOld(part) ? [] : [bookedTwice]),
]

/** Invariant 8: every payment is booked. Only payments from unregistered wallets may wait. */
export const lateBookings = (part?: Part): Findings[] => [
  within(part, ['chain_payments'], unbooked),
  ...(isOld(part) ? [] : [waiting]),
]

const unbooked: Findings = sql`
  select format('payment %s is neither booked nor waiting', t.id) as finding
  from chain_payments t
  where t.direction <> 'inside'
    and not exists (select from chain_bookings b where b.payment_id = t.id)
    and not exists (select from chain_unbooked w where w.payment_id = t.id)`

const waiting: Findings = sql`
  select format('payment %s from %s has been waiting since %s', t.id, u.username, t.recorded_at) as finding
  from chain_unbooked w join chain_payments t on t.id = w.payment_id
    join users u on u.number = coalesce(
      (select user_number from user_wallets o where o.wallet_address = t.from_address),
      (select user_number from chain_deposit_addresses d where d.address = t.from_address))
  where t.direction = 'in' and t.recorded_at < ${LATE}`

/** Invariant 9: every payout and every outflow of the operator in the ledger is a payment on chain, and the reverse. */
export const wrongPayments = (part?: Part): Findings[] => [
  within(part, HISTORY, ledgerPaymentsNotOnChain),
  within(part, ['chain_bookings'], paymentsAgainstPayouts),
  ...(isOld(part) ? [] : [lateSettlements]),
]

const ledgerPaymentsNotOnChain: Findings = sql`
  select format('%s %s: %s posted to custody, %s sent on chain', coalesce(e.kind, b.kind),
    coalesce(e.reference, b.reference), coalesce(e.amount, 0), coalesce(b.amount, 0)) as finding
  from (select * from ledger_entries where account_id = ledger_custody() and amount > 0) e
    full join (select b.* from chain_bookings b join chain_payments t on t.id = b.payment_id
      where t.direction = 'out' and b.kind is not null) b on (b.kind, b.reference) = (e.kind, e.reference)
  where b.amount is distinct from e.amount`

const paymentsAgainstPayouts: Findings = sql`
  select format('payment %s pays %s wei to %s, but no payout of its withdrawal does', t.id, t.value_wei, t.to_address)
    as finding
  from chain_bookings b join chain_payments t on t.id = b.payment_id
  where t.direction = 'out' and b.kind = 'withdrawal_payment'
    and not exists (select from chain_payouts p join chain_payout_attempts a using (chain_id, wallet, nonce)
      where p.reference = b.reference and a.tx_hash = t.tx_hash and p.to_address = t.to_address
        and p.amount * ${WEI_PER_MICRO}::numeric = t.value_wei)`

const lateSettlements: Findings = sql`
  select format('payment %s of %s wei went to %s, but belongs to no withdrawal', t.id, t.value_wei, t.to_address)
    as finding
  from chain_unbooked w join chain_payments t on t.id = w.payment_id
  where t.direction = 'out' and t.recorded_at < now() - interval '1 minute'`

/**
 * Invariant 10: from a wallet's first payout on, each nonce is a payout or a treasury transaction, and has its bytes. So
 * every payout but the first follows another transaction, and every one but the last is followed by one.
 */
export const nonceGaps = (part?: Part): Findings[] => [
  sql`
  with payout as (select * from chain_payouts where ${inPart(part)}),
    ends as (select distinct p.chain_id, p.wallet,
        (select min(nonce) from chain_payouts o where (o.chain_id, o.wallet) = (p.chain_id, p.wallet)) as first,
        greatest((select max(nonce) from chain_payouts o where (o.chain_id, o.wallet) = (p.chain_id, p.wallet)),
          (select max(nonce) from chain_treasury o where (o.chain_id, o.wallet) = (p.chain_id, p.wallet))) as last
      from payout p)
  select format('wallet %s: no transaction has the nonce %s', p.wallet, missing) as finding
  from payout p join ends using (chain_id, wallet),
    unnest(array[nullif(nonce, first) - 1, nullif(nonce, last) + 1]) as missing
  where missing is not null
    and not exists (select from chain_payouts o where (o.chain_id, o.wallet, o.nonce) = (p.chain_id, p.wallet, missing))
    and not exists (select from chain_treasury o where (o.chain_id, o.wallet, o.nonce) = (p.chain_id, p.wallet, missing))
  union all
  select format('nonce %s of %s has no signed bytes', p.nonce, p.wallet) from payout p
  where not exists (select from chain_payout_attempts a
    where (a.chain_id, a.wallet, a.nonce) = (p.chain_id, p.wallet, p.nonce))`,
]
