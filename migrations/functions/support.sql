-- Messages are append-only.

create or replace trigger append_only before update or truncate on support_messages
  for each statement execute function refuse_change();
