-- The terms that operators can change: fees, limits, tiers and rates (src/protocol/terms.ts). Each version is complete
-- and has the date from which it applies. `migrate` inserts the first one, with the defaults of this release.

create table terms_versions (
  version int primary key check (version > 0),
  takes_effect_at timestamptz not null,
  announced_at timestamptz not null,
  terms jsonb not null check (jsonb_typeof(terms) = 'object'),
  -- The act that operators signed. The first version has none.
  act_id uuid unique references operator_acts,
  check ((version = 1) = (act_id is null))
);
create index terms_versions_date on terms_versions (takes_effect_at);

-- Versions that operators took back before their date. They never apply.
create table terms_cancellations (
  version int primary key references terms_versions check (version > 1),
  cancelled_at timestamptz not null,
  act_id uuid not null unique references operator_acts
);

insert into operator_act_kinds values ('terms propose', 2), ('terms cancel', 2);

-- Triggers set version and times.
grant select on terms_versions, terms_cancellations to wellplay_app, wellplay_seeds;
grant insert (takes_effect_at, terms, act_id) on terms_versions to wellplay_operator;
grant insert (version, act_id) on terms_cancellations to wellplay_operator;

-- A lot stores the health share it was bought with, like its rate and its term. All lots so far were bought with 5%.
alter table plan_lots add column health_percent smallint not null default 5 check (health_percent between 0 and 100);
alter table plan_lots alter column health_percent drop default;

-- Whether the wallet signed the fee as well. False for the withdrawals that were requested before the message had it.
alter table withdrawals add column fee_is_signed boolean not null default false;
alter table withdrawals alter column fee_is_signed set default true;
