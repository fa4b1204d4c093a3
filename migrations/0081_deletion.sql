-- A deleted user's row stays, because money records and the referral tree refer to its number. It has no personal data
-- any more: another name, and an address without a key.
--
-- `deleted_wallet` is the wallet they had, if records of money name it: withdrawals, signed transfers, payments on chain.
-- The audit compares those with it. `given_up` is what they left behind.
alter table users
  add column deleted_at timestamptz,
  add column deleted_wallet evm_address,
  add column given_up bigint,
  add constraint users_deleted check (
    (deleted_at is null) = (given_up is null) and (deleted_at is not null or deleted_wallet is null)),
  -- Only deleted users have such a name.
  add constraint users_deleted_name check ((username = 'deleted_' || number) = (deleted_at is not null));
create index users_deleted_at on users (deleted_at) where deleted_at is not null;
