-- What users are owed, sealed once a day in a Merkle-sum tree from which each can prove their own part.

create table liability_snapshots (
  id uuid primary key,
  taken_on date not null unique,
  taken_at timestamptz not null,
  root bytea not null check (length(root) = 32),
  total bigint not null check (total >= 0),
  -- What the ledger's user accounts held in the same moment (invariant 25).
  ledger_total bigint not null,
  users int not null
);

create table liability_leaves (
  snapshot_id uuid not null references liability_snapshots (id),
  position int not null,
  user_number int not null,
  -- Keeps a neighbour, who sees this leaf's hash in a proof, from guessing whose it is and how much it holds.
  nonce bytea not null check (length(nonce) = 16),
  balances bigint[] not null,
  primary key (snapshot_id, user_number)
);

create table liability_nodes (
  snapshot_id uuid not null references liability_snapshots (id),
  level int not null,
  position int not null,
  hash bytea not null check (length(hash) = 32),
  sum bigint not null check (sum >= 0),
  primary key (snapshot_id, level, position)
);

create trigger append_only before update or delete or truncate on liability_snapshots
  for each statement execute function refuse_change();
create trigger append_only before update or truncate on liability_leaves
  for each statement execute function refuse_change();
create trigger append_only before update or truncate on liability_nodes
  for each statement execute function refuse_change();

-- How reserves and liabilities stood, for the charts of the trust page.
create table trust_history (
  measured_at timestamptz primary key default now(),
  reserves bigint not null,
  liabilities bigint not null
);

grant select, insert on liability_snapshots, liability_leaves, liability_nodes, trust_history to wellplay_app;
