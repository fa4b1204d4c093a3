import { sql } from 'kysely'
import type { Invariant } from '../../ledger/audit.ts'
import { entriesOf, type Findings, listFindings } from '../../ledger/findings.ts'
import { inPart, isOld, type Part, within } from '../../ledger/parts.ts'

/** Orders match their postings, and no purchase exceeded the cap of its time. */
export const planInvariants: Invariant[] = [
  {
    number: 13,
    name: 'Re top up parts sum to the whole and follow the fee rule',
    isOfHistory: true,
    check: async (tx, part) => [
      ...(await listFindings(tx, within(part, ['plan_orders', 'ledger_entries'], wrongTopUps))),
      ...(await listFindings(tx, wrongFees(part))),
    ],
  },
  {
    number: 14,
    name: 'Principal is the active lots and never above the cap',
    isOfHistory: true,
    check: async (tx, part) => [
      ...(isOld(part) ? [] : await listFindings(tx, wrongPrincipal)),
      ...(await listFindings(tx, within(part, ['ledger_entries'], principalAboveCap))),
    ],
  },
  {
    number: 17,
    name: 'Every upline payment names a posted source, a level, a true ancestor',
    isOfHistory: true,
    check: async (tx, part) => [
      ...(await listFindings(tx, within(part, ['upline_rewards'], wrongUplines))),
      ...(await listFindings(tx, within(part, ['plan_orders'], unpostedOrders))),
      ...(await listFindings(tx, within(part, ['ledger_entries'], wrongUplinePayments))),
      ...(await listFindings(tx, within(part, ['colour_uplines'], wrongBetRewards))),
      ...(await listFindings(tx, within(part, ['ledger_entries'], wrongRoyalties))),
      ...(await listFindings(tx, within(part, ['upline_rewards', 'royalty_shares'], unpostedRewards))),
    ],
  },
]

// A top-up's plan and hold entries, which are inserted with the order, must equal its parts.
const wrongTopUps: Findings = sql`
  select format('order %s: fee %s of %s on a plan of %s', id, fee, amount, plan_before) as finding
  from plan_orders
  where fee <> case when package_type > 4 and plan_before > fee_above then amount * fee_percent / 100 else 0 end
  union all
  select format('order %s: %s to the plan and %s on hold instead of %s and %s', coalesce(o.id, p.reference),
    coalesce(p.amount, 0), coalesce(h.amount, 0), coalesce(o.amount - o.fee, 0), coalesce(o.fee, 0))
  from (select * from plan_orders where package_type > 4) o
    full join (${entriesOf('re_top_up', 'plan')}) p on p.reference = o.id
    left join (${entriesOf('re_top_up', 'hold')}) h on h.reference = coalesce(o.id, p.reference)
  where (o.amount - o.fee, o.fee, o.user_number) is distinct from (p.amount, coalesce(h.amount, 0), p.user_number)
  union all
  select format('order %s: its lot has %s instead of %s', o.id, coalesce(l.amount, 0), o.amount - o.fee)
  from plan_orders o left join plan_lots l on l.order_id = o.id
  where (l.amount, l.user_number) is distinct from (o.amount - o.fee, o.user_number)`

/** The fee is posted later than the order, exactly when it is settled: from both sides, each by its key. */
const wrongFees = (part?: Part): Findings => sql`
  select format('order %s: its fee is %s, but %s', o.id, case when o.fee_completed_at is null then 'open' else 'settled' end,
    case when p.reference is null then 'was not posted' else 'was posted' end)
  from plan_orders o left join ledger_postings p on p.kind = 're_top_up_fee' and p.reference = o.id
  where o.fee > 0 and (o.fee_completed_at is null) <> (p.reference is null)
    and (${inPart(part, 'o.tx')} or o.id in (select reference from ledger_postings
      where kind = 're_top_up_fee' and ${inPart(part)}))`

const wrongPrincipal: Findings = sql`
  select format('%s holds %s in plans, but its active lots sum to %s', ledger_account_name(a.id), a.balance,
    coalesce(lots.amount, 0)) as finding
  from ledger_accounts a
    left join (select user_number, sum(amount) as amount from plan_lots where matured_at is null group by 1) lots
      on lots.user_number = a.id / 16
  where a.id < ledger_custody() and a.id & 15 = 0 and a.balance <> coalesce(lots.amount, 0)`

const principalAboveCap: Findings = sql`
  select format('%s reached %s with %s %s', ledger_account_name(account_id), balance_after, e.kind, reference) as finding
  from ledger_entries e
    left join plan_orders o on o.id = reference
    left join chain_claims c on c.id = o.claim_id
    left join terms_periods t on coalesce(c.claimed_at, o.ordered_at, posted_at) >= t.starts_at
      and coalesce(c.claimed_at, o.ordered_at, posted_at) < t.ends_at
  where e.kind in ('plan_purchase', 're_top_up') and account_id < ledger_custody() and account_id & 15 = 0
    and balance_after > coalesce(terms_amount(t.terms, 'planAmountMax'), 0)`

const wrongUplines: Findings = sql`
  select format('order %s, level %s: %s is not the ancestor there', r.order_id, r.level, r.user_number) as finding
  from upline_rewards r
    join plan_orders o on o.id = r.order_id
    join users u on u.number = o.user_number
  where r.user_number is distinct from u.path[cardinality(u.path) - r.level]
  union all
  select format('order %s, level %s: %s is not %s percent of %s', r.order_id, r.level, r.amount, r.percent, o.amount)
  from upline_rewards r join plan_orders o on o.id = r.order_id
  where r.amount <> o.amount * r.percent / 100`

// One posting pays all rewards of an order, later than they were recorded. So all rewards of the orders that were paid in
// this part are compared with it.
const wrongUplinePayments: Findings = sql`
  with posted as (${entriesOf('upline_reward', 'referral')})
  select format('order %s: user %s got %s from it instead of %s', coalesce(r.order_id, e.reference),
    coalesce(r.user_number, e.user_number), coalesce(e.amount, 0), coalesce(r.amount, 0)) as finding
  from (select * from upline_rewards where paid_at is not null and order_id in (select reference from posted)) r
    full join posted e on e.reference = r.order_id and e.user_number = r.user_number
  where r.amount is distinct from e.amount`

const unpostedOrders: Findings = sql`
  select format('order %s was never posted', o.id) as finding
  from plan_orders o
  where not exists (
    select from ledger_postings p where p.reference = o.id
      and p.kind = case when o.package_type > 4 then 're_top_up' else 'plan_purchase' end::ledger_kind)`

const wrongBetRewards: Findings = sql`
  select format('bet %s, level %s: %s is not the reward for a stake of %s', bet_id, level, amount, b.stake) as finding
  from colour_uplines join colour_bets b on b.id = bet_id
    join colour_rounds r on r.number = b.round
    left join terms_periods t on r.opens_at >= t.starts_at and r.opens_at < t.ends_at,
    unnest(amounts, permilles) with ordinality as due (amount, permille, level)
  where permille > 0 and permille <> coalesce((t.terms -> 'colourUplinePermille' ->> (level::int - 1))::int, 0)
    or amount <> b.stake * permille / 1000`

const wrongRoyalties: Findings = sql`
  with posted as (${entriesOf('royalty', 'referral')})
  select format('royalty %s: user %s got %s instead of %s', coalesce(s.id, e.reference),
    coalesce(s.user_number, e.user_number), coalesce(e.amount, 0), coalesce(s.amount, 0)) as finding
  from (select * from royalty_shares where paid_at is not null and id in (select reference from posted)) s
    full join posted e on e.reference = s.id and e.user_number = s.user_number
  where s.amount is distinct from e.amount`

/** A paid reward has its posting, whenever that was. */
const unpostedRewards: Findings = sql`
  select format('order %s, level %s is marked as paid, but nothing was posted', order_id, level) as finding
  from upline_rewards where paid_at is not null and not exists (
    select from ledger_postings p where p.kind = 'upline_reward' and p.reference = order_id)
  union all
  select format('royalty %s is marked as paid, but nothing was posted', id)
  from royalty_shares where paid_at is not null and amount > 0 and not exists (
    select from ledger_postings p where p.kind = 'royalty' and p.reference = id)`
