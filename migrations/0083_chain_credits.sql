-- Payments that operators credited to a user: their history and export list them.
create index chain_claims_credits on chain_claims ((details ->> 'user')) where product = 'operator';
