-- Who earns referral rewards, and when one sign is enough to hold them.

-- When the user first signed in with a session that is bound to a key. Users without one earn no referral rewards.
alter table users add column bound_at timestamptz;
update users set bound_at = bound.at
from (select user_number, min(created_at) as at from sessions where proof_key is not null group by user_number) bound
where number = bound.user_number;

-- Shared funding alone holds a reward. The other signs need a second one.
alter table referral_holds drop constraint referral_holds_kinds_check;
alter table referral_holds add check (cardinality(kinds) >= 2 or 'funding' = any (kinds));
