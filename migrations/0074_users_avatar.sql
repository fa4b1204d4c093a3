-- The drawing that a user chose as avatar (protocol/users.ts). Null: the first letter of the username.
alter table users add column avatar text check (avatar ~ '^[a-z]{1,20}$');
grant update (avatar) on users to wellplay_api;

-- A card may also show that a plan was paid back.
alter table shares drop constraint shares_kind_check;
alter table shares add constraint shares_kind_check check (kind in ('rings', 'streak', 'quiz', 'plan'));
