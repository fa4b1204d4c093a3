-- The state transitions of a withdrawal, and the daily total.

-- Every state transition must be listed in withdrawal_steps and is recorded, whichever role makes it.
create or replace function withdrawals_step() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' then
    if (new.id, new.user_number, new.source, new.amount, new.fee, new.to_address, new.nonce, new.deadline,
        new.signature, new.fee_is_signed, new.requested_at)
      is distinct from (old.id, old.user_number, old.source, old.amount, old.fee, old.to_address, old.nonce,
        old.deadline, old.signature, old.fee_is_signed, old.requested_at) then
      raise exception 'a withdrawal request cannot be changed';
    end if;
    if new.state = old.state then return new; end if;
    -- Operators decide about waiting requests, and adopt a payout that is on chain already. Every other step belongs to
    -- the worker, which pays, and sends again what failed.
    if not (pg_has_role(session_user, 'wellplay_operator', 'member') and new.state in ('requested', 'refused', 'signed')
        or pg_has_role(session_user, 'wellplay_worker', 'member') and new.state <> 'refused' and old.state <> 'waiting')
    then
      raise exception '% may not change a withdrawal to %', session_user, new.state
        using errcode = 'insufficient_privilege';
    end if;
    new.changed_at := clock_timestamp();
  else
    -- The daily limits and the terms follow this time, so the caller cannot choose it.
    new.requested_at := now();
    new.fee_is_signed := true;
  end if;
  if not exists (select from withdrawal_steps
      where from_state is not distinct from (case when tg_op = 'UPDATE' then old.state end) and to_state = new.state) then
    raise exception 'a withdrawal cannot go from % to %', case when tg_op = 'UPDATE' then old.state end, new.state;
  end if;
  if tg_op = 'INSERT' then return new; end if;
  insert into withdrawal_changes
  select new.id, count(*) + 1, old.state, new.state, new.note from withdrawal_changes where withdrawal_id = new.id;
  return new;
end $$;
create or replace trigger step before insert or update on withdrawals for each row execute function withdrawals_step();

create or replace function withdrawals_begin() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  insert into withdrawal_changes values (new.id, 1, null, new.state, new.note);
  return null;
end $$;
create or replace trigger begin_history after insert on withdrawals for each row execute function withdrawals_begin();

-- The total of today's withdrawals (UTC), paid or pending, for the daily limit.
create or replace function withdrawn_today(in_user_number int) returns bigint language sql stable
  return (
    select coalesce(sum(amount), 0)::bigint from withdrawals
    where user_number = in_user_number and state not in ('refused', 'refunded')
      and requested_at >= date_trunc('day', now(), 'UTC')
  );

-- Whether operators approved a withdrawal. Only this function says what counts as an approval: the step out of
-- `waiting`, which the database allows only together with an act that enough operators signed (functions/operators.sql).
create or replace function withdrawal_is_approved(in_id uuid) returns boolean language sql stable
  return exists (select from withdrawal_changes
    where withdrawal_id = in_id and from_state = 'waiting' and to_state = 'requested');

-- The total of one UTC day's requests that go out without an operator: of one user, or of all.
create or replace function withdrawn_unattended(in_at timestamptz, in_user_number int default null) returns bigint
language sql stable
  return (
    select coalesce(sum(amount), 0)::bigint from withdrawals
    where (in_user_number is null or user_number = in_user_number)
      and requested_at >= date_trunc('day', in_at, 'UTC')
      and requested_at < date_trunc('day', in_at, 'UTC') + interval '24 hours'
      and state not in ('waiting', 'refused', 'refunded') and not withdrawal_is_approved(id)
  );

-- Whether a request is small enough to go out without an operator, by the terms of its time.
create or replace function withdrawal_is_automatic(this withdrawals, terms jsonb) returns boolean language sql stable
  return this.amount <= terms_amount(terms, 'withdrawalAutomaticMax')
    and withdrawn_unattended(this.requested_at, this.user_number) <= terms_amount(terms, 'withdrawalAutomaticDailyMax')
    and withdrawn_unattended(this.requested_at) <= terms_amount(terms, 'withdrawalAutomaticProductDailyMax');

create or replace trigger append_only before update or delete or truncate on withdrawal_changes
  for each statement execute function refuse_change();
create or replace trigger fixed before update or delete or truncate on withdrawal_steps
  for each statement execute function refuse_change();
