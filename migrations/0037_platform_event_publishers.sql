-- The processes that publish events after their commits (platform/event-connection.ts). Each renews its row every few
-- seconds and deletes it when it stops. A row that is not renewed belongs to a process that was killed: events of its last
-- commits may be lost.
--
-- Unlogged: after a crash or a failover all connections are lost, and pages read everything again anyway.
create unlogged table event_publishers (
  id uuid primary key,
  seen_at timestamptz not null default now()
);

-- Whoever deletes the rows of others has to select and lock them.
grant select, insert, update, delete on event_publishers to wellplay_api, wellplay_worker;
