-- What keeps a deleted user deleted: no new row about them, and no row of another user deleted with them.

-- A call that began before the deletion, or another process, may still add a row. The lock makes it wait for a deletion
-- that is running, and the deletion wait for it. Runs as the owner, because no process may lock rows of `users`.
create or replace function refuse_deleted_user() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  perform from users where number = new.user_number and deleted_at is null for key share;
  if found or not exists (select from users where number = new.user_number) then return new; end if;
  raise exception 'user % is deleted', new.user_number using errcode = 'restrict_violation', constraint = 'user_is_deleted';
end $$;
create or replace trigger refuse_deleted_user before insert on sessions
  for each row execute function refuse_deleted_user();
create or replace trigger refuse_deleted_user before insert on idempotency_keys
  for each row execute function refuse_deleted_user();
create or replace trigger refuse_deleted_user before insert on news_settings
  for each row execute function refuse_deleted_user();
create or replace trigger refuse_deleted_user before insert on news_devices
  for each row execute function refuse_deleted_user();
create or replace trigger refuse_deleted_user before insert on news_emails
  for each row execute function refuse_deleted_user();
create or replace trigger refuse_deleted_user before insert on news_email_codes
  for each row execute function refuse_deleted_user();
create or replace trigger refuse_deleted_user before insert on news_chats
  for each row execute function refuse_deleted_user();
create or replace trigger refuse_deleted_user before insert on news_chat_codes
  for each row execute function refuse_deleted_user();
create or replace trigger refuse_deleted_user before insert on shares
  for each row execute function refuse_deleted_user();
create or replace trigger refuse_deleted_user before insert on quiz_games
  for each row execute function refuse_deleted_user();
create or replace trigger refuse_deleted_user before insert on quiz_bests
  for each row execute function refuse_deleted_user();
create or replace trigger refuse_deleted_user before insert on point_awards
  for each row execute function refuse_deleted_user();
create or replace trigger refuse_deleted_user before insert on wellness_entries
  for each row execute function refuse_deleted_user();
create or replace trigger refuse_deleted_user before insert on wellness_completions
  for each row execute function refuse_deleted_user();
create or replace trigger refuse_deleted_user before insert on wellness_breathing
  for each row execute function refuse_deleted_user();
create or replace trigger refuse_deleted_user before insert on wellness_rest_plans
  for each row execute function refuse_deleted_user();
create or replace trigger refuse_deleted_user before insert on wellness_friends
  for each row execute function refuse_deleted_user();
create or replace trigger refuse_deleted_user before insert on wellness_zones
  for each row execute function refuse_deleted_user();
create or replace trigger refuse_deleted_user before insert on support_requests
  for each row execute function refuse_deleted_user();
create or replace trigger refuse_deleted_user before insert on declarations
  for each row execute function refuse_deleted_user();
create or replace trigger refuse_deleted_user before insert on colour_limits
  for each row execute function refuse_deleted_user();
create or replace trigger refuse_deleted_user before insert on colour_exclusions
  for each row execute function refuse_deleted_user();
create or replace trigger refuse_deleted_user before insert on chain_deposit_addresses
  for each row execute function refuse_deleted_user();
create or replace trigger refuse_deleted_user before insert on chain_claims
  for each row execute function refuse_deleted_user();
create or replace trigger refuse_deleted_user before insert on wallet_changes
  for each row execute function refuse_deleted_user();

-- The worker adds rows about many users in one statement. One who was deleted since it read them must not stop the others,
-- so their row is left out.
create or replace function skip_deleted_user() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  perform from users where number = new.user_number and deleted_at is null for key share;
  if found or not exists (select from users where number = new.user_number) then return new; end if;
  return null;
end $$;
create or replace trigger skip_deleted_user before insert on news
  for each row execute function skip_deleted_user();
create or replace trigger skip_deleted_user before insert on referral_flag_members
  for each row execute function skip_deleted_user();
create or replace trigger skip_deleted_user before insert on funding_sources
  for each row execute function skip_deleted_user();
create or replace trigger skip_deleted_user before insert on funding_checks
  for each row execute function skip_deleted_user();
create or replace trigger skip_deleted_user before insert on leaf_keys
  for each row execute function skip_deleted_user();

-- These tables are append-only: a row goes only together with its user.
create or replace function keep_unless_deleted() returns trigger language plpgsql as $$
begin
  if user_is_deleted(old.user_number) then return old; end if;
  raise exception '% is append-only: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
end $$;
create or replace trigger keep_unless_deleted before delete on idempotency_keys
  for each row execute function keep_unless_deleted();
create or replace trigger keep_unless_deleted before delete on declarations
  for each row execute function keep_unless_deleted();
create or replace trigger keep_unless_deleted before delete on colour_limits
  for each row execute function keep_unless_deleted();
create or replace trigger keep_unless_deleted before delete on colour_exclusions
  for each row execute function keep_unless_deleted();
create or replace trigger keep_unless_deleted before delete on leaf_keys
  for each row execute function keep_unless_deleted();
create or replace trigger keep_unless_deleted before delete on wellness_completions
  for each row execute function keep_unless_deleted();
create or replace trigger keep_unless_deleted before delete on wellness_zones
  for each row execute function keep_unless_deleted();

create or replace function keep_message_unless_deleted() returns trigger language plpgsql as $$
begin
  if user_is_deleted((select user_number from support_requests where id = old.request_id)) then return old; end if;
  raise exception '% is append-only: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
end $$;
create or replace trigger keep_unless_deleted before delete on support_messages
  for each row execute function keep_message_unless_deleted();
