-- Finds the withdrawals of a day, for the limits on what goes out without an operator.

create index withdrawals_requested on withdrawals (requested_at);

-- Finds the posting that reserved a withdrawal. Partial, so that no other posting pays for it.
create index ledger_entries_withdrawal on ledger_entries (reference) where kind = 'withdrawal';
