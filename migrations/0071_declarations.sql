-- What users declared about their age and the country they live in, before their first bet or purchase. The newest row
-- of a user counts.
create table declarations (
  user_number int not null references users (number),
  declared_at timestamptz not null default clock_timestamp(),
  -- The user declared to be at least this old.
  age smallint not null check (age between 13 and 99),
  -- ISO 3166 code. Null if the operator blocked no country at that time, so that none was asked for.
  country text check (country ~ '^[A-Z]{2}$'),
  primary key (user_number, declared_at)
);

grant select on declarations to wellplay_app;
grant insert (user_number, age, country) on declarations to wellplay_api;
