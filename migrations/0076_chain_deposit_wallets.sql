-- A deposit address belongs to the wallet that its code contains. A user whose wallet changes gets another address, and
-- keeps the old one.
alter table chain_deposit_addresses add column wallet evm_address;
update chain_deposit_addresses d set wallet = u.wallet_address from users u where u.number = d.user_number;
alter table chain_deposit_addresses alter column wallet set not null;
alter table chain_deposit_addresses drop constraint chain_deposit_addresses_chain_id_vault_user_number_key;
alter table chain_deposit_addresses add unique (chain_id, vault, wallet);
create index chain_deposit_addresses_user on chain_deposit_addresses (user_number);

grant insert (wallet) on chain_deposit_addresses to wellplay_api;
