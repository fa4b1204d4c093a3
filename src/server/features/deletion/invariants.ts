import { sql } from 'kysely'
import type { Invariant } from '../../ledger/audit.ts'
import { type Findings, listFindings } from '../../ledger/findings.ts'
import { isOld, within } from '../../ledger/parts.ts'

export const deletionInvariants: Invariant[] = [
  {
    number: 35,
    name: 'A deleted user owns nothing, and nothing moves or is stored for them again',
    isOfHistory: true,
    check: async (tx, part) => [
      ...(await listFindings(tx, within(part, ['ledger_entries'], strayClosings))),
      ...(isOld(part) ? [] : await listFindings(tx, ofDeletedUsers)),
    ],
  },
]

/** Money goes to `fees` by this kind only when its user is deleted. */
const strayClosings: Findings = sql`
  select format('account_closing %s took %s from %s, whose user is not deleted', e.reference, -e.amount,
    ledger_account_name(e.account_id)) as finding
  from ledger_entries e
  where e.kind = 'account_closing' and e.account_id < ledger_custody() and not exists (
    select from users u where u.number = e.account_id / 16 and u.id = e.reference and u.deleted_at is not null)`

/** The newest entry of an account says whether anything moved later. */
const ofDeletedUsers: Findings = sql`
  with gone as (select * from users where deleted_at is not null),
  account as (
    select gone.*, a.id as account, a.balance, a.closed
    from gone, lateral (select * from ledger_accounts where id between number::bigint * 16 and number::bigint * 16 + 6) a)
  select format('%s of a deleted user is open or not empty', ledger_account_name(account)) as finding from account
  where not closed or balance <> 0
  union all
  select format('%s is closed, but its user is not deleted', ledger_account_name(a.id)) from ledger_accounts a
  where closed and (a.id >= ledger_custody() or not exists (select from gone where number = a.id / 16))
  union all
  select format('%s moved at %s, after its user was deleted', ledger_account_name(account), posted_at)
  from account, lateral (
    select posted_at from ledger_entries where account_id = account order by version desc limit 1) newest
  where posted_at > deleted_at
  union all
  select format('user %s gave up %s, but %s was posted', number, given_up, posted)
  from gone, lateral (select coalesce(-sum(amount), 0) as posted from ledger_entries
    where account_id between number::bigint * 16 and number::bigint * 16 + 6 and kind = 'account_closing') closing
  where given_up <> posted
  union all
  select format('user %s is deleted, but has the name %s and the wallet %s', number, username, wallet_address)
  from gone where (username, wallet_address, points, avatar)
    is distinct from ('deleted_' || number, deleted_address(id), 0::bigint, null)
  union all
  select format('user %s announced the payment %s after they were deleted', number, tx_hash)
  from gone join chain_claims on user_number = number where claimed_at > deleted_at
  union all
  select format('user %s is deleted, but has rows in %s', user_number, name) from deletion_leftovers()`
