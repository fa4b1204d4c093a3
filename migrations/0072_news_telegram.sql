-- News by Telegram. Chats that get them. A chat is named by Telegram, and one chat may belong to several users.
create table news_chats (
  user_number int primary key references users (number),
  chat_id bigint not null,
  added_at timestamptz not null
);
create index news_chats_chat on news_chats (chat_id);

-- One-time codes in the link that opens the bot. The bot gets the code from Telegram, with the chat it came from.
create table news_chat_codes (
  code_hash bytea primary key,
  user_number int not null references users (number),
  asked_at timestamptz not null,
  used_at timestamptz
);
create index news_chat_codes_user on news_chat_codes (user_number);
create index news_chat_codes_age on news_chat_codes (asked_at);

alter table news_deliveries drop constraint news_deliveries_channel_check;
alter table news_deliveries add constraint news_deliveries_channel_check check (channel in ('push', 'email', 'telegram'));

grant select on news_chats, news_chat_codes to wellplay_api, wellplay_worker;
grant insert on news_chat_codes to wellplay_api;
grant delete on news_chats to wellplay_api, wellplay_worker;
grant insert on news_chats to wellplay_worker;
grant update (chat_id, added_at) on news_chats to wellplay_worker;
grant update (used_at) on news_chat_codes to wellplay_worker;
