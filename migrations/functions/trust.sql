-- Snapshots never change. The leaves and nodes of an old one are deleted (operators_retention.sql); its root is kept.

create or replace trigger append_only before update or delete or truncate on liability_snapshots
  for each statement execute function refuse_change();
create or replace trigger append_only before update or truncate on liability_leaves
  for each statement execute function refuse_change();
create or replace trigger append_only before update or truncate on liability_nodes
  for each statement execute function refuse_change();
