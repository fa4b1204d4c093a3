-- Doing a change of wallet: it depends on the user's withdrawals.

-- Does a due change and returns when; null if it cannot be done now: it was stopped or done, the user is frozen, or a
-- withdrawal to the old wallet is still open. Runs as the owner: no process may change a wallet in another way. The lock
-- on the user's row keeps withdrawals out, whose requests take a weaker lock on it. All sessions end, because the old
-- wallet may be stolen.
create or replace function wallet_change_do(in_id uuid) returns timestamptz language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  change wallet_changes;
  done timestamptz;
begin
  perform from users where number = (select user_number from wallet_changes where id = in_id) and frozen_at is null
    for update;
  if not found then return null; end if;
  select * into change from wallet_changes
  where id = in_id and cancelled_at is null and done_at is null and takes_effect_at <= clock_timestamp() for update;
  if not found or exists (select from withdrawals
      where user_number = change.user_number and state in ('requested', 'waiting', 'signed', 'sent')) then
    return null;
  end if;
  update users set wallet_address = change.to_wallet where number = change.user_number;
  update wallet_changes set done_at = clock_timestamp() where id = in_id returning done_at into done;
  update sessions set ended_at = clock_timestamp() where user_number = change.user_number and ended_at is null;
  return done;
end $$;
revoke execute on function wallet_change_do from public, wellplay_app;
grant execute on function wallet_change_do to wellplay_worker;
