-- The audit lists the closed accounts every minute. Updates of open ones do not touch this index.
create index ledger_accounts_closed on ledger_accounts (id) where closed;
