-- Declarations are append-only: a user who changes an answer adds one.

create or replace trigger append_only before update or truncate on declarations
  for each statement execute function refuse_change();
