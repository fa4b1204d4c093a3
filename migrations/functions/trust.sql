-- Snapshots never change. The parts of an old one are deleted (operators_retention.sql); its root is kept.

create or replace trigger append_only before update or delete or truncate on liability_snapshots
  for each statement execute function refuse_change();
create or replace trigger append_only before update or truncate on liability_parts
  for each statement execute function refuse_change();
-- A user finds every later tree with the key in a file kept once, so it never changes.
create or replace trigger append_only before update or truncate on leaf_keys
  for each statement execute function refuse_change();

-- Snapshots whose root is final on chain. Only these are shown: their trees are public, and proofs refer to them.
create or replace view liability_published as
select s.id, s.taken_on, s.taken_at, s.root, s.total, s.users, s.chain_id, s.vault, s.epoch, s.paid_at, s.books_at,
  s.file_hash, c.closed_at as published_at
from liability_snapshots s join vault_calls c on c.chain_id = s.chain_id and c.vault = s.vault and c.kind = 'publish'
  and c.value = s.root and c.succeeded;
grant select on liability_published to wellplay_app;
