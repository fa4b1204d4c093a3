-- Channels for news outside the app: what users chose, where messages go, and what was sent.

-- `choices` has the channels of each topic that the user has chosen; others follow the defaults (protocol/news-choices.ts).
-- Quiet hours are times on the user's clock.
create table news_settings (
  user_number int primary key references users (number),
  choices jsonb not null,
  quiet_from text check (quiet_from ~ '^\d\d:\d\d$'),
  quiet_until text check (quiet_until ~ '^\d\d:\d\d$'),
  check ((quiet_from is null) = (quiet_until is null))
);

-- Browsers that get web push. Ending the session of a browser ends its pushes, too.
create table news_devices (
  id uuid primary key,
  user_number int not null references users (number),
  session_id uuid not null references sessions (id) on delete cascade,
  endpoint text not null unique,
  p256dh text not null,
  auth text not null,
  added_at timestamptz not null default now()
);
create index news_devices_user on news_devices (user_number);
create index news_devices_session on news_devices (session_id);

-- Confirmed addresses. `stop_key` is in every e-mail: it ends them without signing in.
create table news_emails (
  user_number int primary key references users (number),
  address text not null,
  stop_key text not null unique,
  confirmed_at timestamptz not null
);

-- Addresses to be confirmed. The worker makes the code when it sends it, so the API never knows it.
create table news_email_codes (
  id uuid primary key,
  user_number int not null references users (number),
  address text not null,
  code_hash bytea,
  tries int not null default 0,
  asked_at timestamptz not null,
  attempts int not null default 0,
  next_at timestamptz
);
create index news_email_codes_user on news_email_codes (user_number, asked_at);
create index news_email_codes_address on news_email_codes (lower(address), asked_at);
create index news_email_codes_due on news_email_codes (next_at) where next_at is not null;

-- One row for each way that a piece of news takes: an e-mail, or a push to one device. `next_at` is when it is sent, or
-- sent again if that fails; null when it is over. `sent_at` is null if it was given up.
create table news_deliveries (
  id uuid primary key,
  user_number int not null,
  news_id uuid not null,
  channel text not null check (channel in ('push', 'email')),
  device_id uuid references news_devices (id) on delete cascade,
  attempts int not null default 0,
  next_at timestamptz,
  sent_at timestamptz,
  created_at timestamptz not null,
  check ((channel = 'push') = (device_id is not null)),
  unique nulls not distinct (news_id, channel, device_id),
  foreign key (user_number, news_id) references news (user_number, id) on delete cascade
);
create index news_deliveries_due on news_deliveries (channel, next_at) where next_at is not null;
create index news_deliveries_user on news_deliveries (user_number, news_id);
create index news_deliveries_device on news_deliveries (device_id) where device_id is not null;
create index news_deliveries_age on news_deliveries using brin (created_at) with (pages_per_range = 16);

-- How far the news of announced terms have come: all users up to this number have them.
create table news_broadcasts (
  version int primary key references terms_versions (version),
  told_until int not null default 0,
  done boolean not null default false
);

-- Addresses and keys of devices are only for the processes that need them.
grant select on news_settings, news_devices, news_emails, news_email_codes, news_deliveries, news_broadcasts
  to wellplay_api, wellplay_worker;
grant insert on news_settings, news_devices, news_emails, news_email_codes to wellplay_api;
grant update (choices, quiet_from, quiet_until) on news_settings to wellplay_api;
grant update (user_number, session_id, p256dh, auth, added_at) on news_devices to wellplay_api;
grant update (address, stop_key, confirmed_at) on news_emails to wellplay_api;
grant update (tries) on news_email_codes to wellplay_api;
grant delete on news_devices, news_emails to wellplay_api;
grant insert on news_deliveries, news_broadcasts to wellplay_worker;
grant update (attempts, next_at, sent_at) on news_deliveries to wellplay_worker;
grant update (code_hash, attempts, next_at) on news_email_codes to wellplay_worker;
grant update (told_until, done) on news_broadcasts to wellplay_worker;
grant delete on news_devices to wellplay_worker;
