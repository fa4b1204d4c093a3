-- Completed challenges and changes of time zone are append-only.

create or replace trigger append_only before update or truncate on wellness_completions
  for each statement execute function refuse_change();
create or replace trigger append_only before update or truncate on wellness_zones
  for each statement execute function refuse_change();
