-- What a user leaves behind when they delete their account goes to `fees` by a posting of this kind.
alter type ledger_kind add value 'account_closing';

-- The accounts of a deleted user. A closed account is empty, and every movement changes a balance, so this constraint
-- keeps money out of it. Not validated: until now no account is closed.
alter table ledger_accounts add column closed boolean not null default false;
alter table ledger_accounts add constraint closed_accounts_are_empty check (not closed or balance = 0) not valid;
