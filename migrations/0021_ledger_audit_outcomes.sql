-- An audit has three outcomes for each invariant: it holds, it is broken, or it could not be checked (R25).

alter table audit_runs
  add column held int[] not null default '{}',
  add column unchecked int[] not null default '{}',
  drop column passed,
  drop column checked;
alter table audit_runs alter column held drop default, alter column unchecked drop default;

-- What a chain node reported against our records. One such pass is only a doubt; the second one halts, and two passes
-- in a row without a contradiction end the doubt and the halt.
create table halt_doubts (
  source text primary key,
  -- The newest block of the last counted pass, so that two workers that see the same block count as one pass.
  block_number bigint not null,
  against int not null,
  agreed int not null
);

grant select, insert, update, delete on halt_doubts to wellplay_app;
