import { type RawBuilder, sql } from 'kysely'
import { BURST_MINUTES, BURST_SIGN_UPS } from '../../../protocol/referrals.ts'
import type { Db, Tx } from '../../platform/db.ts'

export type FlagKind = 'device' | 'funding' | 'burst'

/** Searches the last day for accounts that may be the same person. A flag is a hint for the operator, not a proof. */
export async function findFlags(tx: Tx): Promise<void> {
  await recordFlags(tx, 'device', sharedDevices)
  await recordFlags(tx, 'funding', sharedFunding)
  await recordFlags(tx, 'burst', bursts)
}

/** `members` is a query of (key, user_number). Existing flags do not change, dismissed or not. */
async function recordFlags(tx: Tx, kind: FlagKind, members: RawBuilder<unknown>): Promise<void> {
  await sql`
    with member as materialized (select key::text, user_number::int from (${members}) found (key, user_number)),
    added as (
      insert into referral_flags (id, kind, key) select new_id(), ${kind}, key from member group by key
      on conflict (kind, key) do nothing returning id, key
    ), flag as (
      select id, key from added
      union all
      select id, key from referral_flags where kind = ${kind} and key in (select key from member)
    )
    insert into referral_flag_members (flag_id, user_number)
    select flag.id, member.user_number from member join flag on flag.key = member.key
    on conflict do nothing`.execute(tx)
}

/** The same browser key in sessions of several accounts. */
const sharedDevices = sql`
  select distinct s.proof_key ->> 'x', s.user_number
  from sessions recent join sessions s on s.proof_key ->> 'x' = recent.proof_key ->> 'x'
  where recent.created_at > now() - interval '1 day' and exists (
    select from sessions other
    where other.proof_key ->> 'x' = recent.proof_key ->> 'x' and other.user_number <> recent.user_number)`

/** A wallet that paid for more accounts than this is treated as an exchange, not as a personal wallet. */
const FUNDED_MAX = 30

/** One wallet that funded the wallets of several accounts, or an account's wallet that funded another account. */
const sharedFunding = sql`
  with funded as (
    select key, array_agg(distinct s.user_number) as members
    from (select distinct from_address as key from funding_sources where found_at > now() - interval '1 day') recent
      join funding_sources s on s.from_address = recent.key
    group by key having count(*) <= ${FUNDED_MAX}
  ), involved as (
    select key, members || array(select user_number from user_wallets where wallet_address = key) as members from funded
  )
  select key, unnest(members) from involved where cardinality(members) > 1`

/** Many sign-ups with the same sponsor within a short time. */
const bursts = sql`
  select sponsor_number || ' on ' || (created_at at time zone 'utc')::date, number
  from (
    select sponsor_number, number, created_at, count(*) over (
      partition by sponsor_number order by created_at
      range between make_interval(mins => ${BURST_MINUTES / 2}) preceding
                and make_interval(mins => ${BURST_MINUTES / 2}) following) as near
    from users where created_at > now() - interval '1 day' and sponsor_number is not null
  ) joined
  where near >= ${BURST_SIGN_UPS}`

export type Flag = { id: string; kind: FlagKind; key: string; found_at: Date; members: string; count: bigint }
const NAMES_SHOWN = 8

export async function listFlags(db: Db, { all, limit }: { all: boolean; limit: number }): Promise<Flag[]> {
  const { rows } = await sql<Flag>`
    select f.id, f.kind, f.key, f.found_at, member.count,
           array_to_string(member.names[:${NAMES_SHOWN}], ', ') as members
    from referral_flags f, lateral (
      select count(*), array_agg(u.username order by u.number) as names
      from referral_flag_members m join users u on u.number = m.user_number where m.flag_id = f.id) member
    where ${all} or f.dismissed_at is null
    order by f.found_at desc limit ${limit}`.execute(db)
  return rows
}
