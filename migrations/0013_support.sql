-- Support requests from users, and the operator's answers.

create table support_requests (
  id uuid primary key,
  user_number int not null references users (number),
  topic text not null check (topic in ('health', 'account', 'money', 'games', 'other')),
  subject text not null check (length(subject) between 1 and 120),
  state text not null default 'open' check (state in ('open', 'answered', 'closed')),
  urgent boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index support_requests_user on support_requests (user_number, updated_at desc);
create index support_requests_waiting on support_requests (urgent desc, updated_at) where state = 'open';

create table support_messages (
  id uuid primary key,
  request_id uuid not null references support_requests (id),
  author text not null check (author in ('user', 'operator')),
  text text not null check (length(text) between 1 and 4000),
  written_at timestamptz not null
);
create index support_messages_request on support_messages (request_id, id);

-- referral_holds is created before support_requests, so its foreign key is added here.
alter table referral_holds add foreign key (appeal_id) references support_requests (id);

grant select, insert on support_requests, support_messages to wellplay_app;
grant update (state, urgent, updated_at) on support_requests to wellplay_app;
