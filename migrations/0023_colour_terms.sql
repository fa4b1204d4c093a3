-- A round and an upline store the terms they were made with. So the numbers come from one place, src/protocol, and a
-- changed term does not change the past. The defaults are the terms of all rows so far; new rows must name their own.

alter table colour_rounds
  -- The payout of each colour as a multiple of the stake.
  add column pays_green bigint not null default 2 check (pays_green > 0),
  add column pays_red bigint not null default 2 check (pays_red > 0),
  add column pays_violet bigint not null default 24 check (pays_violet > 0),
  -- Without a result this long after closing, every stake is refunded.
  add column result_seconds int not null default 60 check (result_seconds > 0);
alter table colour_rounds
  alter column pays_green drop default,
  alter column pays_red drop default,
  alter column pays_violet drop default,
  alter column result_seconds drop default;

-- The share of each ancestor in parts per thousand of the stake. Changing the type fills existing rows, because the
-- table refuses updates.
alter table colour_uplines drop constraint colour_uplines_check, add column permilles int[] not null default '{}';
alter table colour_uplines alter column permilles drop default;
alter table colour_uplines alter column permilles type int[] using (array[5, 3, 2])[:cardinality(ancestors)];
alter table colour_uplines add constraint colour_uplines_check check (
  cardinality(ancestors) = cardinality(amounts) and cardinality(ancestors) = cardinality(permilles)
  and 0 <= all (amounts));
