import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type OperatorAct, operatorActText } from '../../protocol/operators.ts'
import type { Chain } from '../chain/client.ts'
import { findSigner } from '../chain/operator-keys.ts'
import type { Invariant } from '../ledger/audit.ts'
import { type Findings, listFindings } from '../ledger/findings.ts'
import { isOld, within } from '../ledger/parts.ts'
import type { Tx } from '../platform/db.ts'

/**
 * The database cannot verify a signature, so the audit verifies all of them. It also compares what operators signed
 * with what happened, in both directions.
 */
export const actInvariants = (chain: Chain): Invariant[] => [
  {
    number: 29,
    name: 'Every operator act is signed by enough different operators',
    isOfHistory: true,
    check: async (tx, part) => [
      ...(await listFindings(tx, within(part, ['ledger_entries'], unsignedPostings))),
      ...(isOld(part) ? [] : await wrongActs(tx, chain)),
    ],
  },
]

/** Acts are few: people make them. So all of them are checked in every audit. */
const wrongActs = async (tx: Tx, chain: Chain): Promise<string[]> => [
  ...(await wrongSignatures(tx, chain)),
  ...(await listFindings(tx, tooFewSigners)),
  ...(await listFindings(tx, unsignedOperators)),
  ...(await listFindings(tx, actsWithoutEffect)),
  ...(await listFindings(tx, unsignedDecisions)),
  ...(await listFindings(tx, unsignedFreezes)),
  ...(await listFindings(tx, unsignedTerms)),
  ...(await listFindings(tx, missingTriggers)),
]

const FOUND_MAX = 10

/**
 * Hashes of signatures that were valid in an earlier audit, with all they cover. Recovering a signer takes milliseconds,
 * so only new and changed rows are recovered again.
 */
const validBefore = new WeakMap<Chain, Set<string>>()

async function wrongSignatures(tx: Tx, chain: Chain): Promise<string[]> {
  const found: string[] = []
  const valid = validBefore.get(chain) ?? new Set()
  validBefore.set(chain, valid)
  const rows = await tx
    .selectFrom('operator_signatures as s')
    .innerJoin('operator_acts as a', 'a.id', 's.act_id')
    .select(['a.id', 'a.payload', 's.operator', 's.signature'])
    .orderBy('s.signed_at')
    .execute()
  for (const { id, payload, operator, signature } of rows) {
    if (found.length === FOUND_MAX) break
    const key = createHash('sha256')
      .update(JSON.stringify([payload, operator, signature]))
      .digest('base64')
    if (valid.has(key)) continue
    const act = JSON.parse(payload) as OperatorAct
    // A text in another form could show the signer something else than what the database reads.
    if (operatorActText(act) !== payload) found.push(`the text of act ${id} is not in its one form`)
    else if ((await findSigner(act, signature, chain.settings.chainId)) !== operator)
      found.push(`the signature of ${operator} on act ${id} is not valid`)
    else valid.add(key)
  }
  return found
}

const tooFewSigners: Findings = sql`
  select format('act %s (%s) was performed with %s of %s signatures', id, act, operator_signers(a, performed_at),
    operator_signers_needed(a, performed_at)) as finding
  from operator_acts a
  where performed_at is not null and operator_signers(a, performed_at) < operator_signers_needed(a, performed_at)`

const unsignedOperators: Findings = sql`
  select format('no signed act enrolled or revoked the operator %s', name) as finding from operators o
  where not exists (select from operator_acts a where a.act = 'operators enroll' and a.performed_at = o.enrolled_at
      and a.details ->> 'name' = o.name and a.details ->> 'address' = o.address)
    or (revoked_at is not null and not exists (select from operator_acts a where a.act = 'operators revoke'
      and a.performed_at = o.revoked_at and a.details ->> 'address' = o.address))`

/** Pools, fees, claims and adopted payments: each movement has its act. */
const unsignedPostings: Findings = sql`
  select format('%s of %s has no act that was signed for it', e.act, e.amount) as finding
  from (
    select 'fund' as act, reference::text as subject, amount, ledger_account_name(account_id) as pool
    from ledger_entries, operator_acts_since since
    where account_id between ledger_custody() + 2 and ledger_custody() + 5 and kind = 'pool_funding'
      and posted_at >= since.at
    union all
    select 'collect-fees', reference::text, amount, null from ledger_entries, operator_acts_since since
    where account_id = ledger_custody() + 1 and kind = 'fee_collection' and posted_at >= since.at
    union all
    select case when details ? 'user' then 'deposits credit' else 'deposits claim' end, tx_hash, amount, details ->> 'user'
    from chain_claims, operator_acts_since since
    where product = 'operator' and claimed_at >= since.at
    union all
    select 'adopt', t.tx_hash, -sum(e.amount), null
    from ledger_entries e join chain_payments t on t.id = e.reference, operator_acts_since since
    where e.account_id = ledger_custody() + 1 and e.kind = 'operator_outflow' and e.posted_at >= since.at
    group by t.tx_hash
  ) e left join (
    select act, case when act in ('deposits claim', 'deposits credit', 'adopt') then details ->> 'hash' else id::text end
        as subject, amount, coalesce(details ->> 'pool', details ->> 'user') as pool
    from operator_acts where performed_at is not null and amount > 0
      and act in ('fund', 'collect-fees', 'deposits claim', 'deposits credit', 'adopt')
  ) a on a.act = e.act and a.subject = e.subject
  where a.amount is distinct from e.amount or a.pool is distinct from e.pool`

/** Each performed act has its movement. Keys find it, so the size of history does not matter. */
const actsWithoutEffect: Findings = sql`
  select format('the act %s of %s has no effect', act, amount) as finding from operator_acts a
  where performed_at is not null and amount > 0 and not case act
    when 'fund' then exists (select from ledger_postings where kind = 'pool_funding' and reference = a.id)
    when 'collect-fees' then exists (select from ledger_postings where kind = 'fee_collection' and reference = a.id)
    when 'deposits claim' then exists (select from chain_claims where product = 'operator'
      and tx_hash = a.details ->> 'hash')
    when 'deposits credit' then exists (select from chain_claims c where product = 'operator'
      and tx_hash = a.details ->> 'hash' and c.details ->> 'user' = a.details ->> 'user')
    when 'adopt' then exists (select from chain_cursor c
      join chain_payments t on t.chain_id = c.chain_id and t.tx_hash = a.details ->> 'hash'
      join ledger_postings p on p.kind = 'operator_outflow' and p.reference = t.id)
    else true end`

/** Withdrawals, holds and flags that operators decided, and transactions that they adopted. */
const unsignedDecisions: Findings = sql`
  select format('no operator signed "%s" for %s', d.act, d.subject) as finding
  from (
    select case c.to_state when 'requested' then 'withdrawals approve' else 'withdrawals reject' end as act,
      w.id::text as subject, w.amount
    from withdrawal_changes c join withdrawals w on w.id = c.withdrawal_id, operator_acts_since since
    where c.from_state = 'waiting' and c.changed_at >= since.at
    union all
    select case state when 'released' then 'holds release' else 'holds confirm' end, id::text, amount
    from referral_holds, operator_acts_since since where state in ('released', 'forfeited') and decided_at >= since.at
    union all
    select 'flags dismiss', id::text, null from referral_flags, operator_acts_since since
    where dismissed_at >= since.at
    union all
    select 'adopt', tx_hash, null from chain_treasury, operator_acts_since since where booked_at >= since.at
  ) d
  where not exists (select from operator_acts a where a.performed_at is not null and a.act = d.act
    and coalesce(a.details ->> 'withdrawal', a.details ->> 'hold', a.details ->> 'flag', a.details ->> 'hash')
      = d.subject
    and (d.amount is null or a.amount = d.amount))`

/** A user is frozen if, and only if, the last act about them is a freeze. */
const unsignedFreezes: Findings = sql`
  select format('user %s is %s, but the last signed act is %s', number,
    case when frozen_at is null then 'not frozen' else 'frozen' end, coalesce(last.act, 'missing')) as finding
  from users left join (
    select distinct on (details ->> 'user') details ->> 'user' as number_text, act from operator_acts
    where act in ('users freeze', 'users unfreeze') and performed_at is not null
    order by details ->> 'user', performed_at desc
  ) last on last.number_text = number::text, operator_acts_since since
  where (frozen_at >= since.at and last.act is distinct from 'users freeze')
    or (frozen_at is null and last.act = 'users freeze')`

/** Every version of the terms after the first, and every cancellation, is what operators signed, and came in time. */
const unsignedTerms: Findings = sql`
  select format('version %s of the terms is not what operators signed', coalesce(v.version::text, a.details ->> 'from'))
    as finding
  from (select * from terms_versions where version > 1) v
    full join (select * from operator_acts where act = 'terms propose' and performed_at is not null) a on a.id = v.act_id
  where (a.details ->> 'terms')::jsonb is distinct from v.terms
    or (a.details ->> 'from')::timestamptz is distinct from v.takes_effect_at
    or v.takes_effect_at < greatest(v.announced_at, a.performed_at) + terms_notice()
  union all
  select format('the cancellation of version %s of the terms is not what operators signed',
    coalesce(c.version::text, a.details ->> 'version'))
  from terms_cancellations c
    full join (select * from operator_acts where act = 'terms cancel' and performed_at is not null) a on a.id = c.act_id
    left join terms_versions v on v.version = c.version
  where a.details ->> 'version' is distinct from c.version::text
    or v.takes_effect_at < greatest(c.cancelled_at, a.performed_at) + terms_cancel_notice()`

/** The tables on which a trigger asks for the operators' act. */
const GUARDED = [
  ...['withdrawals', 'referral_holds', 'referral_flags', 'users', 'halts'],
  ...['terms_versions', 'terms_cancellations'],
]

const missingTriggers: Findings = sql`
  select format('the trigger require_operators on %s is missing or disabled', guarded) as finding
  from unnest(array[${sql.join(GUARDED)}]) as guarded
  where not exists (select from pg_trigger where tgrelid = guarded::regclass and tgname = 'require_operators'
    and tgenabled in ('O', 'A'))`
