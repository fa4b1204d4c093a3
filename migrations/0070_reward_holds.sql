-- Rewards under review. The kinds come first: a new value of an enum can be used only after its transaction.
alter type ledger_kind add value 'reward_hold';
alter type ledger_kind add value 'reward_release';
alter type ledger_kind add value 'reward_forfeit';
