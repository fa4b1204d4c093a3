-- Quiz history is append-only. The only allowed update is ending a game. Rows go only with their user.

create or replace function quiz_history_is_fixed() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'quiz_games' and tg_op = 'UPDATE' then
    if old.ended_at is null and (new.id, new.user_number, new.topic, new.seed, new.deal_seed, new.started_at)
       is not distinct from (old.id, old.user_number, old.topic, old.seed, old.deal_seed, old.started_at) then
      return new;
    end if;
  end if;
  if tg_op = 'DELETE' and user_is_deleted(case tg_table_name when 'quiz_games' then (to_jsonb(old) ->> 'user_number')::int
    else (select user_number from quiz_games where id = (to_jsonb(old) ->> 'game_id')::uuid) end) then
    return old;
  end if;
  raise exception 'quiz history never changes';
end $$;
create or replace trigger quiz_games_are_fixed before update or delete on quiz_games
  for each row execute function quiz_history_is_fixed();
create or replace trigger quiz_events_are_fixed before update or delete on quiz_events
  for each row execute function quiz_history_is_fixed();
