-- Snapshots become the vault's trees: their leaves have the wallet, and their roots are published on chain.

-- One random key per user. It is in every proof file and opens the user's leaf in any public tree file.
create table leaf_keys (
  user_number int primary key references users (number),
  key bytea not null check (length(key) = 32)
);

-- What was published with the root. Snapshots from before the vault have none of it.
alter table liability_snapshots
  add column chain_id bigint,
  add column vault evm_address,
  add column epoch bigint check (epoch > 0),
  -- All payouts of the vault that these balances include, and the time of the last block whose payouts they include.
  add column paid_at bigint check (paid_at >= 0),
  add column books_at timestamptz,
  -- SHA-256 of the public tree file.
  add column file_hash bytea check (length(file_hash) = 32),
  add check (num_nonnulls(chain_id, vault, epoch, paid_at, books_at, file_hash) in (0, 6));
create unique index liability_snapshots_epoch on liability_snapshots (chain_id, vault, epoch);

-- The tree file in parts of 1,024 leaves. A part is a whole subtree, so a proof needs one part and the roots of the others.
create table liability_parts (
  snapshot_id uuid not null references liability_snapshots (id),
  part int not null check (part >= 0),
  user_numbers int[] not null check (cardinality(user_numbers) between 1 and 1024),
  user_last int not null,
  -- Hash and sum of the part's root.
  node bytea not null check (length(node) = 40),
  records bytea not null check (length(records) = 188 * cardinality(user_numbers)),
  primary key (snapshot_id, part)
);
-- Encrypted bytes do not compress.
alter table liability_parts alter column records set storage external;
create unique index liability_parts_user on liability_parts (snapshot_id, user_last);

-- Users saved their proofs of these. The roots are kept.
drop table liability_leaves, liability_nodes;

grant select on leaf_keys, liability_parts to wellplay_app;
grant insert on leaf_keys, liability_parts to wellplay_worker;
-- The worker publishes; an operator only asks it to.
revoke insert on liability_snapshots from wellplay_operator;
