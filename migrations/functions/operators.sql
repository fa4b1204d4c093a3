-- Operators' acts: who may sign, how many must sign, and what an act allows.

-- How many operators that were enrolled at this time have signed the act. The first operator enrolls itself.
create or replace function operator_signers(this operator_acts, at timestamptz) returns int language plpgsql stable as $$
begin
  if this.act = 'operators enroll' and not exists (select from operators where enrolled_at < at) then
    return (select count(*) from operator_signatures s
      where s.act_id = this.id and s.operator = this.details ->> 'address');
  end if;
  return (select count(*) from operator_signatures s join operators o on o.address = s.operator
    where s.act_id = this.id and o.enrolled_at < at and (o.revoked_at is null or o.revoked_at >= at));
end $$;

-- What the act's signer moved without a second operator in the 24 hours before this time.
create or replace function operator_moved_alone(this operator_acts, at timestamptz) returns bigint
language plpgsql stable as $$
begin
  return (
    select coalesce(sum(a.amount), 0) from operator_acts a
      join operator_act_kinds k on k.act = a.act and k.alone_adds_up
      join operator_signatures s on s.act_id = a.id
    where a.id <> this.id and a.performed_at > at - interval '24 hours' and a.performed_at < at
      and s.operator in (select operator from operator_signatures where act_id = this.id)
      and 1 = (select count(*) from operator_signatures where act_id = a.id));
end $$;

-- How many operators must sign the act to perform it at this time.
create or replace function operator_signers_needed(this operator_acts, at timestamptz) returns int
language plpgsql stable as $$
declare
  kind operator_act_kinds;
  alone bigint := this.amount;
begin
  select * into kind from operator_act_kinds k where k.act = this.act;
  -- The first operator enrolls the second.
  if this.act = 'operators enroll' then
    return greatest(1, least(kind.signatures, (select count(*) from operators o
      where o.enrolled_at < at and (o.revoked_at is null or o.revoked_at >= at))));
  end if;
  if kind.alone_adds_up then alone := alone + operator_moved_alone(this, at); end if;
  return case when alone <= kind.alone_max then 1 else kind.signatures end;
end $$;

-- Performs an act if enough operators have signed it. Returns how many signatures are missing; 0 means that this
-- transaction may now do what the act says. The only way to write `performed_at` and `operators`.
create or replace function operator_perform(act_id uuid) returns int language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  this operator_acts;
  at timestamptz;
  missing int;
begin
  select * into this from operator_acts a where a.id = act_id for update;
  if this.id is null or this.performed_at is not null then raise exception 'this act is unknown or was performed'; end if;
  -- Others that count the same operators, or the same operator's money, wait until this transaction ends.
  if this.act in ('operators enroll', 'operators revoke') then
    lock table operators in share row exclusive mode;
  elsif (select alone_adds_up from operator_act_kinds k where k.act = this.act) then
    perform from operators o where o.address in (select operator from operator_signatures s where s.act_id = this.id)
      order by o.address for no key update;
  end if;
  at := clock_timestamp();
  missing := operator_signers_needed(this, at) - operator_signers(this, at);
  if missing > 0 then return missing; end if;
  update operator_acts a set performed_at = at, performed_in = pg_current_xact_id() where a.id = this.id;
  if this.act = 'operators enroll' then
    insert into operators values (this.details ->> 'address', this.details ->> 'name', at);
  elsif this.act = 'operators revoke' then
    update operators o set revoked_at = at where o.address = this.details ->> 'address' and o.revoked_at is null;
    if not found then raise exception 'there is no such operator'; end if;
  end if;
  return 0;
end $$;
revoke execute on function operator_perform from public, wellplay_app;
grant execute on function operator_perform to wellplay_operator;

-- A signature must be from an enrolled key, for exactly this act, while the act waits. Whether the signature itself is
-- valid is checked by the server before it stores it, and by the audit (invariant 29).
create or replace function operator_signatures_check() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  this operator_acts;
begin
  select * into this from operator_acts where id = new.act_id for update;
  if this.id is null then raise exception 'there is no such act'; end if;
  if this.performed_at is not null then raise exception 'this act was already performed'; end if;
  if this.proposed_at < now() - interval '7 days' then raise exception 'this act waited too long'; end if;
  if new.digest <> this.digest then raise exception 'the signature is for another act'; end if;
  if exists (select from operators where address = new.operator and revoked_at is null) then return new; end if;
  if this.act = 'operators enroll' and this.details ->> 'address' = new.operator
    and not exists (select from operators) then return new;
  end if;
  raise exception '% is not the key of an operator', new.operator;
end $$;
create or replace trigger check_signature before insert on operator_signatures
  for each row execute function operator_signatures_check();

create or replace trigger append_only before update or delete or truncate on operator_signatures
  for each statement execute function refuse_change();
create or replace trigger kept before delete or truncate on operator_acts
  for each statement execute function refuse_change();
create or replace trigger kept before delete or truncate on operators
  for each statement execute function refuse_change();
create or replace trigger fixed before update or delete or truncate on operator_act_kinds
  for each statement execute function refuse_change();
create or replace trigger fixed before update or delete or truncate on operator_acts_since
  for each statement execute function refuse_change();

create or replace function operator_acts_run_once() returns trigger language plpgsql as $$
begin
  if old.performed_at is not null
    or (new.id, new.act, new.payload, new.proposed_at) is distinct from (old.id, old.act, old.payload, old.proposed_at) then
    raise exception 'an act cannot be changed, and runs once';
  end if;
  return new;
end $$;
create or replace trigger run_once before update on operator_acts
  for each row execute function operator_acts_run_once();

-- Refuses a change unless this transaction performs the act for it. `key` and `value` name the act's subject.
create or replace function operator_require(in_act text, key text, value text, in_amount bigint default null)
returns void language plpgsql as $$
begin
  if not exists (select from operator_acts a where a.performed_in = pg_current_xact_id() and a.act = in_act
      and a.details ->> key = value and (in_amount is null or a.amount = in_amount)) then
    raise exception 'no operator signed "%" for % %', in_act, key, value using errcode = 'insufficient_privilege';
  end if;
end $$;

create or replace function withdrawals_require_operators() returns trigger language plpgsql as $$
begin
  perform operator_require(case new.state when 'requested' then 'withdrawals approve' else 'withdrawals reject' end,
    'withdrawal', new.id::text, new.amount);
  return new;
end $$;
create or replace trigger require_operators before update of state on withdrawals
  for each row when (old.state = 'waiting' and new.state <> 'waiting') execute function withdrawals_require_operators();

create or replace function holds_require_operators() returns trigger language plpgsql as $$
begin
  perform operator_require(case new.state when 'released' then 'holds release' else 'holds confirm' end,
    'hold', new.id::text, new.amount);
  return new;
end $$;
create or replace trigger require_operators before update of state on referral_holds
  for each row when (old.state = 'held' and new.state <> 'held') execute function holds_require_operators();

create or replace function flags_require_operators() returns trigger language plpgsql as $$
begin
  perform operator_require('flags dismiss', 'flag', new.id::text);
  return new;
end $$;
create or replace trigger require_operators before update of dismissed_at on referral_flags
  for each row execute function flags_require_operators();

create or replace function freezes_require_operators() returns trigger language plpgsql as $$
begin
  perform operator_require(case when new.frozen_at is null then 'users unfreeze' else 'users freeze' end,
    'user', new.number::text);
  return new;
end $$;
create or replace trigger require_operators before update of frozen_at on users
  for each row when (old.frozen_at is distinct from new.frozen_at) execute function freezes_require_operators();

-- The worker signs and books payments. Operators do it only for a transaction on chain that two of them adopt.
create or replace function is_worker() returns boolean language sql stable
return pg_has_role(session_user, 'wellplay_worker', 'member');

create or replace function adoptions_require_operators() returns trigger language plpgsql as $$
begin
  perform operator_require('adopt', 'withdrawal', case tg_table_name when 'withdrawals' then to_jsonb(new) ->> 'id'
    else to_jsonb(new) ->> 'reference' end);
  return new;
end $$;
create or replace trigger adopt before update of state on withdrawals
  for each row when (new.state = 'signed' and not is_worker()) execute function adoptions_require_operators();
create or replace trigger adopt before insert on chain_payouts
  for each row when (not is_worker()) execute function adoptions_require_operators();

create or replace function hashes_require_operators() returns trigger language plpgsql as $$
begin
  perform operator_require('adopt', 'hash', new.tx_hash);
  return new;
end $$;
create or replace trigger adopt before insert on chain_payout_attempts
  for each row when (not is_worker()) execute function hashes_require_operators();
create or replace trigger adopt before insert on chain_treasury
  for each row execute function hashes_require_operators();

create or replace function bookings_require_operators() returns trigger language plpgsql as $$
declare
  payment uuid := case tg_op when 'DELETE' then old.payment_id else new.payment_id end;
begin
  perform operator_require('adopt', 'hash', (select tx_hash from chain_payments where id = payment));
  return coalesce(new, old);
end $$;
create or replace trigger adopt before insert on chain_bookings
  for each row when (new.kind = 'operator_outflow' or not is_worker()) execute function bookings_require_operators();
create or replace trigger adopt before delete on chain_unbooked
  for each row when (not is_worker()) execute function bookings_require_operators();

-- An operator's claim that names a user gives that user money, so it needs its act: this hash, amount and user.
create or replace function credits_require_operators() returns trigger language plpgsql as $$
begin
  if user_is_deleted((new.details ->> 'user')::int) then
    raise exception 'user % is deleted', new.details ->> 'user' using errcode = 'restrict_violation';
  end if;
  if not exists (select from operator_acts a where a.performed_in = pg_current_xact_id() and a.act = 'deposits credit'
      and a.details ->> 'hash' = new.tx_hash and a.amount = new.amount
      and a.details ->> 'user' = new.details ->> 'user') then
    raise exception 'no operators signed "deposits credit" for %', new.tx_hash using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create or replace trigger credit before insert on chain_claims
  for each row when (new.product = 'operator' and new.details ? 'user') execute function credits_require_operators();

-- The audit, the watcher and the payer lift their own halts when they agree with the books again. Their next pass would
-- set a halt again that was lifted by hand. Only operators lift the others.
create or replace function halts_require_operators() returns trigger language plpgsql as $$
begin
  perform operator_require('resume', 'source', old.source);
  return old;
end $$;
create or replace trigger require_operators before delete on halts
  for each row when (old.source not in ('audit', 'chain', 'payout-wallet'))
  execute function halts_require_operators();

-- Terms change only by an act of two operators, and to exactly what they signed.
create or replace function terms_require_operators() returns trigger language plpgsql as $$
begin
  -- The first version comes with the installation.
  if new.version = 1 then return new; end if;
  if not exists (select from operator_acts a where a.id = new.act_id and a.performed_in = pg_current_xact_id()
      and a.act = 'terms propose' and (a.details ->> 'terms')::jsonb = new.terms
      and (a.details ->> 'from')::timestamptz = new.takes_effect_at) then
    raise exception 'no operator signed these terms' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create or replace trigger require_operators before insert on terms_versions
  for each row execute function terms_require_operators();

create or replace function terms_cancellations_require_operators() returns trigger language plpgsql as $$
begin
  if not exists (select from operator_acts a where a.id = new.act_id and a.performed_in = pg_current_xact_id()
      and a.act = 'terms cancel' and a.details ->> 'version' = new.version::text) then
    raise exception 'no operator signed the cancellation of version %', new.version
      using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create or replace trigger require_operators before insert on terms_cancellations
  for each row execute function terms_cancellations_require_operators();
