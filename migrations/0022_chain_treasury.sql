-- The treasury: all addresses that hold our USDT, and what operators send from them outside payouts.

-- Money of the operator that left our addresses on chain.
alter type ledger_kind add value 'operator_outflow';

-- The addresses whose USDT custody mirrors. One stays here after its key was replaced, because what it holds is still
-- ours and its transactions are still checked.
create table chain_wallets (
  chain_id bigint not null,
  address evm_address not null,
  added_at timestamptz not null default now(),
  primary key (chain_id, address)
);

-- Chain transactions of our wallets that are not payouts. Two operators have explained each of them.
create table chain_treasury (
  chain_id bigint not null,
  wallet evm_address not null,
  nonce bigint not null check (nonce >= 0),
  tx_hash evm_hash not null unique,
  -- The signed bytes. They prove wallet and nonce without any chain node.
  raw text not null,
  booked_at timestamptz not null default now(),
  primary key (chain_id, wallet, nonce)
);

grant select, insert on chain_wallets, chain_treasury to wellplay_app;
