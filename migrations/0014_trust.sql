-- Snapshots of the liabilities to users, stored as Merkle-sum trees so that users can prove their balance is included,
-- and the history of reserves and liabilities. On the development chain there can be several snapshots a day.

create table liability_snapshots (
  id uuid primary key,
  taken_on date not null,
  taken_at timestamptz not null,
  root bytea not null check (length(root) = 32),
  total bigint not null check (total >= 0),
  -- The sum of the ledger's user accounts at the same moment (invariant 25).
  ledger_total bigint not null,
  users int not null
);
create index liability_snapshots_taken on liability_snapshots (taken_at);

create table liability_leaves (
  snapshot_id uuid not null references liability_snapshots (id),
  position int not null,
  user_number int not null,
  -- Other users see the hash of this leaf in their proofs. The nonce stops them from guessing its owner and balances.
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

-- For the charts on the trust page.
create table trust_history (
  measured_at timestamptz primary key default now(),
  reserves bigint not null,
  liabilities bigint not null
);

grant select, insert on liability_snapshots, liability_leaves, liability_nodes, trust_history to wellplay_app;
