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
      ...(await listFindings(tx, within(part, ['ledger_entries'], strayEntries))),
      ...(isOld(part) ? [] : await listFindings(tx, ofDeletedUsers)),
    ],
  },
]

/** Money goes to `fees` by `account_closing` only when its user is deleted, and nothing moves later. */
const strayEntries: Findings = sql`
  with closing as (
    select account_id / 16 as number, reference, -sum(amount) as posted from ledger_entries
    where kind = 'account_closing' and account_id < ledger_custody() group by 1, 2)
  select format('account_closing %s took %s from user %s, who gave up %s', reference, posted, c.number,
    coalesce(u.given_up::text, 'nothing')) as finding
  from closing c left join users u on u.number = c.number and u.id = c.reference
  where u.given_up is distinct from c.posted
  union all
  select format('%s moved at %s, after its user was deleted', ledger_account_name(e.account_id), e.posted_at)
  from ledger_entries e join users u on u.number = e.account_id / 16
  where e.account_id < ledger_custody() and e.posted_at > u.deleted_at`

const ofDeletedUsers: Findings = sql`
  with gone as (select * from users where deleted_at is not null)
  select format('%s of a deleted user is open or not empty', ledger_account_name(a.id)) as finding
  from gone, lateral (select * from ledger_accounts where id between number::bigint * 16 and number::bigint * 16 + 6) a
  where not closed or balance <> 0
  union all
  select format('%s is closed, but its user is not deleted', ledger_account_name(a.id)) from ledger_accounts a
  where closed and (a.id >= ledger_custody() or not exists (select from gone where number = a.id / 16))
  union all
  select format('user %s gave up %s, and nothing was posted', number, given_up)
  from gone where given_up > 0 and not exists (
    select from ledger_postings where kind = 'account_closing' and reference = gone.id)
  union all
  select format('user %s is deleted, but has the name %s and the wallet %s', number, username, wallet_address)
  from gone where (username, wallet_address, points, avatar)
    is distinct from ('deleted_' || number, deleted_address(id), 0::bigint, null)
  union all
  select format('user %s announced the payment %s after they were deleted', number, tx_hash)
  from gone join chain_claims on user_number = number where claimed_at > deleted_at
  union all
  select format('user %s is deleted, but has rows in %s', user_number, name) from deletion_leftovers()`
