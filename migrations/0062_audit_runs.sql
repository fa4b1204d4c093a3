-- How each audit of the books ended, for the trust page.
create table audit_runs (
  at timestamptz primary key default clock_timestamp(),
  passed boolean not null,
  checked int not null,
  -- The numbers of the laws that were broken.
  broken int[] not null
);

create trigger append_only before update or delete or truncate on audit_runs
  for each statement execute function refuse_change();

grant select, insert on audit_runs to wellplay_app;
