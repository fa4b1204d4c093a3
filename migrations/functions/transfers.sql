-- Transfers are append-only.

create or replace trigger append_only before update or delete or truncate on transfers
  for each statement execute function refuse_change();
