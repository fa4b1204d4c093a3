-- Completed challenges are append-only.

create or replace trigger append_only before update or delete or truncate on wellness_completions
  for each statement execute function refuse_change();
