-- The terms in force at a time, and the rules for new versions (../0031_platform_terms.sql).

-- Each version that was not cancelled, with the time in which it applies. A join instead of `not exists`: with only one
-- table in `from`, PostgreSQL 15 and 18 print the columns of a view differently, and schema.sql would depend on that.
create or replace view terms_periods as
select v.version, v.terms, v.takes_effect_at as starts_at,
  lead(v.takes_effect_at, 1, timestamptz 'infinity') over (order by v.takes_effect_at) as ends_at
from terms_versions v left join terms_cancellations c on c.version = v.version
where c.version is null;
grant select on terms_periods to wellplay_app, wellplay_seeds;

-- The terms in force at a time. The first version also covers what happened before there were versions.
create or replace function terms_at(moment timestamptz) returns jsonb language sql stable
return (
  select v.terms from terms_versions v
  where v.takes_effect_at <= moment and not exists (select from terms_cancellations c where c.version = v.version)
  order by v.takes_effect_at desc limit 1);

-- An amount of the terms in micro-USDT.
create or replace function terms_amount(terms jsonb, name text) returns bigint language sql immutable parallel safe
return ((terms ->> name)::numeric * 1000000)::bigint;

-- How long before its date a version must be announced, and until when it can be cancelled. A cancellation that
-- commits after the date would change the terms of what has happened in between, so it must come well before.
create or replace function terms_notice() returns interval language sql immutable return interval '24 hours';
create or replace function terms_cancel_notice() returns interval language sql immutable return interval '1 hour';

-- The names and types of the terms of a version. Functions read terms by name, so none may be missing.
create or replace function terms_names(terms jsonb) returns jsonb language sql immutable parallel safe
return (select jsonb_object_agg(key, jsonb_typeof(value)) from jsonb_each(terms));

create or replace function terms_versions_announce() returns trigger language plpgsql as $$
declare
  newest terms_versions;
begin
  -- One announcement at a time, so that each sees the dates of those before it.
  perform pg_advisory_xact_lock(hashtextextended('terms', 0));
  select * into newest from terms_versions order by version desc limit 1;
  new.version := coalesce(newest.version, 0) + 1;
  new.announced_at := clock_timestamp();
  if newest.version is null then
    new.takes_effect_at := 'epoch';
    return new;
  end if;
  if new.takes_effect_at < new.announced_at + terms_notice() then
    raise exception 'terms take effect at least % after they are announced', terms_notice()
      using errcode = 'check_violation';
  end if;
  if exists (select from terms_periods where starts_at >= new.takes_effect_at) then
    raise exception 'another version takes effect at this time or later' using errcode = 'check_violation';
  end if;
  if terms_names(new.terms) is distinct from terms_names(newest.terms) then
    raise exception 'a version must name all terms' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create or replace trigger announce before insert on terms_versions
  for each row execute function terms_versions_announce();

create or replace function terms_cancellations_in_time() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('terms', 0));
  new.cancelled_at := clock_timestamp();
  if new.cancelled_at + terms_cancel_notice() > (select takes_effect_at from terms_versions where version = new.version) then
    raise exception 'a version can be cancelled until % before it takes effect', terms_cancel_notice()
      using errcode = 'check_violation';
  end if;
  return new;
end $$;
create or replace trigger in_time before insert on terms_cancellations
  for each row execute function terms_cancellations_in_time();

create or replace trigger append_only before update or delete or truncate on terms_versions
  for each statement execute function refuse_change();
create or replace trigger append_only before update or delete or truncate on terms_cancellations
  for each statement execute function refuse_change();
